// Dense accesses that do not begin at the boundary of a sector: one sector more for each request.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> misaligned_access(const Situation& s) {
  const Counts& c = s.launch.totals;
  double requests = double(c[GlobalLoadRequests] + c[GlobalStoreRequests]);
  double touched = double(c[GlobalLoadSectors] + c[GlobalStoreSectors]),
         ideal = double(c[GlobalLoadIdealSectors] + c[GlobalStoreIdealSectors]);
  if (requests == 0 || ideal / requests < 2) return std::nullopt;
  double extra = (touched - ideal) / requests;
  if (extra < 0.2 || extra > 1.05) return std::nullopt;
  double then = outcome_if(s, [](Counts& k) {
                  k[GlobalLoadSectors] = std::min(k[GlobalLoadSectors], k[GlobalLoadIdealSectors]);
                  k[GlobalStoreSectors] = std::min(k[GlobalStoreSectors], k[GlobalStoreIdealSectors]);
                }).seconds;
  // The neighbouring warp touches the same sector, so caches save DRAM some of the extra traffic. The extra sectors
  // still pass through L1 and L2.
  double share = (touched - ideal) / touched;
  then = std::min(then, s.prediction.seconds *
                            (1 - share * std::max(s.prediction.of(Resource::L2), s.prediction.of(Resource::L1))));
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) {
    return double(k[GlobalLoadSectors] + k[GlobalStoreSectors]) -
           double(k[GlobalLoadIdealSectors] + k[GlobalStoreIdealSectors]);
  });
  return worth(
      s, then,
      fmt::format("a request of a warp touches {:.1f} sectors, {:.1f} more than its data need", touched / requests,
                  extra),
      "let rows and buffers begin at multiples of 32 bytes (cudaMallocPitch, or padded rows), and start loops there",
      place_of(line));
}

}  // namespace warpwise::perf::rules
