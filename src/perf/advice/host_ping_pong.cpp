// Copies to the device right after copies to the host, again and again.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/report/format.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> host_ping_pong(const ProgramSituation& s) {
  unsigned turns = 0;
  double copies = 0;
  Kind last = Kind::Launch;
  for (const HostEvent& event : s.profile.events) {
    if (event.kind != Kind::CopyToDevice && event.kind != Kind::CopyToHost) continue;
    turns += event.kind == Kind::CopyToDevice && last == Kind::CopyToHost;
    last = event.kind;
    copies += transfer_seconds(event, s.device);
  }
  if (turns < 3 || copies < 0.2 * (s.kernel_seconds + copies)) return std::nullopt;
  double saved = copies * turns / (turns + 1.0);
  return Advice{nullptr,
                fmt::format("data went to the host and back {} times; copies take {}, kernels {}", turns,
                            seconds_text(copies), seconds_text(s.kernel_seconds)),
                "keep the data on the device, and do the step between the kernels there, even if a GPU is slow at it",
                saved,
                (s.kernel_seconds + copies) / std::max(s.kernel_seconds + copies - saved, 1e-12),
                std::nullopt};
}

}  // namespace warpwise::perf::rules
