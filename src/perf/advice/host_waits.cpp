// A host that waits for the device again and again, with little work in between.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/idle_gaps.h"
#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

std::optional<Advice> host_waits(const ProgramSituation& s) {
  unsigned waits = 0;
  double lost = 0;
  const HostEvent* call = nullptr;
  for (const IdleGap& gap : idle_gaps(s.profile)) {
    if (gap.copies) continue;
    ++waits, lost += gap.seconds, call = gap.call;
  }
  const double all = device_span(s.profile);
  if (waits < kMostHarmlessWaits || lost < kFeltShare * all) return std::nullopt;
  return Advice{
      nullptr,
      fmt::format("the host waits {} times ({}) before it submits more; in between the GPU is idle for {} of {}", waits,
                  call->name, seconds_text(lost), seconds_text(all)),
      "submit all commands and wait once: a stream keeps their order",
      lost,
      all / std::max(all - lost, 1e-12),
      std::nullopt};
}

}  // namespace warpwise::perf::rules
