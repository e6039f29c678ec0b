// Copies to the device right after copies to the host, again and again.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
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
    copies += seconds_of(event, s.device);
  }
  if (turns < 3 || copies < 0.2 * (s.kernel_seconds + copies)) return std::nullopt;
  double saved = copies * turns / (turns + 1.0);
  return Advice{
      nullptr,
      fmt::format("data went to the host and back {} times; copies take {:.2f} ms, kernels {:.2f} ms", turns,
                  copies * 1e3, s.kernel_seconds * 1e3),
      "keep data on the device between kernels, and compute the step between them there, even if it is slow on a GPU",
      saved,
      (s.kernel_seconds + copies) / std::max(s.kernel_seconds + copies - saved, 1e-12),
      std::nullopt};
}

}  // namespace warpwise::perf::rules
