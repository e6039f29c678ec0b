// Loads of a warp that touch many sectors although the data would fit into few.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> uncoalesced_loads(const Situation& s) {
  const Counts& c = s.launch.totals;
  double touched = ratio(c, GlobalLoadSectors, GlobalLoadRequests),
         ideal = ratio(c, GlobalLoadIdealSectors, GlobalLoadRequests);
  if (touched < 1.5 * ideal + 1) return std::nullopt;  // a misaligned start has a rule of its own
  const Outcome then = outcome_if(s, [](Counts& k) {
    double kept = k[GlobalLoadSectors] ? double(k[GlobalLoadIdealSectors]) / double(k[GlobalLoadSectors]) : 1;
    for (Counter counter :
         {GlobalLoadSectors, GlobalLoadLines, L1ReadSectors, L1ReadHits, L2ReadSectors, L2ReadHits, DramReadBytes})
      k[counter] = static_cast<uint64_t>(double(k[counter]) * kept);
  });
  const LineCounts* line = heaviest_line(
      s.launch, [](const Counts& k) { return double(k[GlobalLoadSectors]) - double(k[GlobalLoadIdealSectors]); });
  return worth(s, then,
               fmt::format("a load of a warp touches {:.1f} sectors of 32 bytes; its data would fit into {:.1f}",
                           touched, ideal),
               "let threads with neighbouring threadIdx.x read neighbouring elements", place_of(line));
}

}  // namespace warpwise::perf::rules
