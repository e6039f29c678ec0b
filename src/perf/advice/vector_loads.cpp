// Loads of 4 bytes a lane where the load/store units are short of instructions: 16 bytes take a quarter of them.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> vector_loads(const Situation& s) {
  const Counts& c = s.launch.totals;
  double bytes_a_load = c[GlobalLoadRequests] ? double(c[GlobalLoadBytes]) / double(c[GlobalLoadRequests]) : 0;
  double sectors = ratio(c, GlobalLoadSectors, GlobalLoadRequests), ideal = ratio(c, GlobalLoadIdealSectors, GlobalLoadRequests);
  // 32 lanes with 4 bytes each, side by side: what four consecutive loads could have asked for at once.
  if (bytes_a_load < 100 || bytes_a_load > 140 || sectors > 1.3 * ideal || c[GlobalLoadRequests] * 4 < s.launch.warps() * 4) return std::nullopt;
  if (double(c[GlobalLoadRequests]) / double(s.launch.warps()) < 4) return std::nullopt;
  double then = seconds_if(s, [](Counts& k) {
    uint64_t spared = k[GlobalLoadRequests] - k[GlobalLoadRequests] / 4;
    k[GlobalLoadRequests] /= 4;
    for (Counter counter : {Instructions, PipeLsu}) k[counter] -= std::min(k[counter], spared);
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[GlobalLoadRequests]); });
  return worth(s, then, fmt::format("a warp makes {:.0f} loads of {:.0f} bytes", double(c[GlobalLoadRequests]) / double(s.launch.warps()), bytes_a_load),
               "read float4 (16 bytes a thread, from aligned addresses): a quarter of the instructions for the same data", place_of(line));
}

}  // namespace warpwise::perf::rules
