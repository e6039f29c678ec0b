// Atomics on global memory of which many have the same address.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"
#include "perf/report/format.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> global_atomics(const Situation& s) {
  const Counts& c = s.launch.totals;
  double share = ratio(c, GlobalAtomicCollisions, GlobalAtomicLanes);
  if (c[GlobalAtomicLanes] == 0 || s.prediction.of(Resource::Atomics) < 0.3) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    for (Counter counter : {GlobalAtomicLanes, GlobalAtomicRequests, GlobalReductionRequests, L2AtomicSectors,
                            L2ReductionSectors, GlobalAtomicTurns, GlobalAtomicContention})
      k[counter] /= 32;
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[GlobalAtomicLanes]); });
  return worth(
      s, then,
      fmt::format("{} atomic operations; {:.0f} % have the same address as another lane of their warp",
                  count_text(double(c[GlobalAtomicLanes])), 100 * share),
      "add up within the warp (__shfl_down_sync) or the block (shared memory) first, and let one thread add the sum",
      place_of(line));
}

}  // namespace warpwise::perf::rules
