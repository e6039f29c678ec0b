// Stores of a warp that touch many sectors although the data would fit into few.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> uncoalesced_stores(const Situation& s) {
  const Counts& c = s.launch.totals;
  double touched = ratio(c, GlobalStoreSectors, GlobalStoreRequests),
         ideal = ratio(c, GlobalStoreIdealSectors, GlobalStoreRequests);
  if (touched < 1.5 * ideal + 1) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    double kept = k[GlobalStoreSectors] ? double(k[GlobalStoreIdealSectors]) / double(k[GlobalStoreSectors]) : 1;
    for (Counter counter : {GlobalStoreSectors, GlobalStoreLines, L2WriteSectors, DramWriteBytes})
      k[counter] = static_cast<uint64_t>(double(k[counter]) * kept);
  });
  const LineCounts* line = heaviest_line(
      s.launch, [](const Counts& k) { return double(k[GlobalStoreSectors]) - double(k[GlobalStoreIdealSectors]); });
  return worth(
      s, then,
      fmt::format("a store of a warp touches {:.1f} sectors of 32 bytes; its data would fit into {:.1f}", touched,
                  ideal),
      "let threads with neighbouring threadIdx.x write neighbouring elements; where loads and stores need different "
      "orders (a transposition), transpose a tile in shared memory",
      place_of(line));
}

}  // namespace warpwise::perf::rules
