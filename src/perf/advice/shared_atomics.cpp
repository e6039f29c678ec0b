// Atomics on shared memory whose lanes have the same target and are served one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> shared_atomics(const Situation& s) {
  const Counts& c = s.launch.totals;
  double wavefronts = ratio(c, SharedAtomicWavefronts, SharedAtomics);
  if (wavefronts < 2) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) { k[SharedAtomicWavefronts] = k[SharedAtomics]; });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[SharedAtomicWavefronts]); });
  return worth(s, then, fmt::format("a shared-memory atomic of a warp takes {:.1f} wavefronts", wavefronts),
               "give each warp counters of its own and add them at the end, or add up within the warp first",
               place_of(line));
}

}  // namespace warpwise::perf::rules
