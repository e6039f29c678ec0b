// Branches at which the lanes of a warp diverge: both sides are executed, one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> divergence(const Situation& s) {
  const Counts& c = s.launch.totals;
  double lanes = ratio(c, ThreadInstructions, Instructions),
         full = std::min<double>(32, double(s.launch.block.count()));
  if (c[DivergentBranches] == 0 || lanes > 0.85 * full) return std::nullopt;
  double kept = lanes / full;
  const Outcome then = outcome_if(s, [&](Counts& k) {
    for (Counter counter : {Instructions, PipeFma, PipeAlu, PipeFp64, PipeFp16, PipeXu, PipeLsu, MoreFma, MoreAlu,
                            MoreXu, MoreFp64, MoreBranches, MoreUniform, FusedAlu, FusedBranches})
      k[counter] = static_cast<uint64_t>(double(k[counter]) * kept);
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[DivergentBranches]); });
  return worth(s, then,
               fmt::format("{:.1f} of 32 lanes are active on average; {:.0f} % of the branches diverge", lanes,
                           100 * ratio(c, DivergentBranches, Branches)),
               "let conditions hold for whole warps (test threadIdx.x / 32), or compute both values and select one",
               place_of(line));
}

}  // namespace warpwise::perf::rules
