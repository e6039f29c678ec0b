// Lanes that ask one bank of shared memory for different words: their access takes several passes.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> bank_conflicts(const Situation& s) {
  const Counts& c = s.launch.totals;
  double passes = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
         conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
  if (passes == 0 || conflicts < 0.1 * passes) return std::nullopt;
  double then = seconds_if(s, [](Counts& k) {
    k[SharedLoadWavefronts] -= std::min(k[SharedLoadWavefronts], k[SharedLoadConflicts]);
    k[SharedStoreWavefronts] -= std::min(k[SharedStoreWavefronts], k[SharedStoreConflicts]);
  });
  const LineCounts* line =
      heaviest_line(s.launch, [](const Counts& k) { return double(k[SharedLoadConflicts] + k[SharedStoreConflicts]); });
  double ways = passes / std::max(passes - conflicts, 1.0);
  return worth(
      s, then,
      fmt::format(
          "accesses of shared memory take {:.1f} passes for each that they need: {:.0f} % of the passes are conflicts",
          ways, 100 * conflicts / passes),
      "add an unused element to each row ([32][33] instead of [32][32]), or let neighbouring threads read neighbouring "
      "words",
      place_of(line));
}

}  // namespace warpwise::perf::rules
