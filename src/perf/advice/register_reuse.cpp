// Every operand comes from shared memory, although a value in a register could serve several results.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> register_reuse(const Situation& s) {
  const Counts& c = s.launch.totals;
  double arithmetic = double(c[Fadd] + c[Fmul] + c[Ffma] + c[Dfma] + c[Hfma]),
         words = double(c[SharedLoadRegisterBytes]) / 4;
  // Conflicts have a rule of their own, and a kernel with two multiply-adds per word of shared memory reuses registers
  // already.
  if (words == 0 || s.prediction.of(Resource::Shared) < 0.5 || arithmetic >= 2 * words || arithmetic < 0.2 * words)
    return std::nullopt;
  if (double(c[SharedLoadConflicts]) > 0.2 * double(c[SharedLoadWavefronts])) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    uint64_t spared = k[SharedLoads] / 4 * 3;
    for (Counter counter : {Instructions, PipeLsu}) k[counter] -= std::min(k[counter], spared);
    for (Counter counter : {SharedLoads, SharedLoadsFused, SharedLoadWavefronts, SharedLoadIdealWavefronts,
                            SharedLoadBytes, SharedLoadRegisterBytes})
      k[counter] /= 4;
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[SharedLoadRegisterBytes]); });
  return worth(
      s, then, fmt::format("each arithmetic instruction loads {:.1f} words from shared memory", words / arithmetic),
      "let each thread compute a small square of results (4 by 4, 8 by 8): each word that it loads then serves a "
      "row or a column of them",
      place_of(line));
}

}  // namespace warpwise::perf::rules
