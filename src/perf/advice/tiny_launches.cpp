// Many kernels that end before the next can start.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> tiny_launches(const ProgramSituation& s) {
  uint64_t tiny = 0;
  double lost = 0;
  for (const LaunchCounts& launch : s.profile.launches) {
    std::optional<Prediction> p = predict(launch, s.device);
    if (!p || p->launch_seconds < 0.5 * p->seconds) continue;
    ++tiny;
    lost += p->launch_seconds;
  }
  if (tiny < 20 || lost < 0.1 * s.kernel_seconds) return std::nullopt;
  return Advice{nullptr,
                fmt::format("{} of {} launches take longer to start than to run", tiny, s.profile.launches.size()),
                "do several steps in one kernel, or record the launches once as a CUDA graph and launch the graph",
                lost * 0.9,
                s.kernel_seconds / std::max(s.kernel_seconds - lost * 0.9, 1e-12),
                std::nullopt};
}

}  // namespace warpwise::perf::rules
