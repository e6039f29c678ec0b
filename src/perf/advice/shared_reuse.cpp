// Data that L1 or L2 is asked for many times: shared memory or registers could hold it.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> shared_reuse(const Situation& s) {
  const Counts& c = s.launch.totals;
  if (s.launch.cached_blocks == 0 || c[DramReadBytes] == 0) return std::nullopt;
  double asked = double(c[GlobalLoadBytes]), read = double(c[DramReadBytes]), times = asked / read;
  double pressure = std::max({s.prediction.of(Resource::L1), s.prediction.of(Resource::L2), s.prediction.of(Resource::L2Port)});
  if (times < 8 || pressure < 0.4) return std::nullopt;
  // A tile that serves a whole block of 32×32 threads asks for a 32nd, and shared memory gives the rest.
  double then = seconds_if(s, [](Counts& k) {
    uint64_t loads = k[GlobalLoadRequests], bytes = k[GlobalLoadBytes];
    for (Counter counter : {GlobalLoadRequests, GlobalLoadSectors, GlobalLoadIdealSectors, GlobalLoadLines, GlobalLoadBytes, L1ReadSectors, L1ReadHits}) k[counter] /= 32;
    k[GlobalLoadSectors] = k[GlobalLoadIdealSectors];
    k[SharedLoads] += loads, k[SharedLoadWavefronts] += loads, k[SharedLoadIdealWavefronts] += loads, k[SharedLoadBytes] += bytes;
  });
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[GlobalLoadBytes]); });
  return worth(s, then, fmt::format("threads ask for {:.1f} GB, {:.0f} times the {:.2f} GB that come from memory", asked / 1e9, times, read / 1e9),
               "let a block bring a tile to shared memory once and read it there, or let a thread compute several results from what it has in registers",
               place_of(line));
}

}  // namespace warpwise::perf::rules
