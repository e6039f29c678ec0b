// Copies for which the host waits, so that the GPU then waits for the host.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/idle_gaps.h"
#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

using Kind = HostEvent::Kind;

std::optional<Advice> synchronous_copies(const ProgramSituation& s) {
  unsigned gaps = 0;
  double lost = 0;
  for (const IdleGap& gap : idle_gaps(s.profile))
    if (gap.copies) ++gaps, lost += gap.seconds;
  uint64_t waited = 0, all_copies = 0;
  for (const HostEvent& e : s.profile.events)
    if (e.moves_to_or_from_host()) ++all_copies, waited += e.synchronous;
  const double all = device_span(s.profile);
  if (gaps < kMostHarmlessWaits || lost < kFeltShare * all) return std::nullopt;
  return Advice{
      nullptr,
      fmt::format("the host waits for {} of {} copies before it continues; in between the GPU is idle for {} of {}",
                  waited, all_copies, seconds_text(lost), seconds_text(all)),
      "allocate the host memory with cudaMallocHost and copy with cudaMemcpyAsync on the stream of the kernels, which "
      "keeps the order; wait once, where the host reads results",
      lost,
      all / std::max(all - lost, 1e-12),
      std::nullopt};
}

}  // namespace warpwise::perf::rules
