// Lanes that access different words of one bank of shared memory: the request takes several wavefronts.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> bank_conflicts(const Situation& s) {
  const Counts& c = s.launch.totals;
  double wavefronts = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
         conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
  if (wavefronts == 0 || conflicts < 0.1 * wavefronts) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    k[SharedLoadWavefronts] -= std::min(k[SharedLoadWavefronts], k[SharedLoadConflicts]);
    k[SharedStoreWavefronts] -= std::min(k[SharedStoreWavefronts], k[SharedStoreConflicts]);
  });
  const LineCounts* line =
      heaviest_line(s.launch, [](const Counts& k) { return double(k[SharedLoadConflicts] + k[SharedStoreConflicts]); });
  double ways = wavefronts / std::max(wavefronts - conflicts, 1.0);
  return worth(
      s, then,
      fmt::format(
          "shared memory takes {:.1f} times the wavefronts that the data need: {:.0f} % of them are bank conflicts",
          ways, 100 * conflicts / wavefronts),
      "add an unused element to each row ([32][33] instead of [32][32]), or let neighbouring threads read neighbouring "
      "words",
      place_of(line));
}

}  // namespace warpwise::perf::rules
