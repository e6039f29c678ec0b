// Local memory: arrays that the compiler could not keep in registers, and spilled registers.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

std::optional<Advice> register_spills(const Situation& s) {
  const Counts& c = s.launch.totals;
  uint64_t accesses = c[LocalLoadRequests] + c[LocalStoreRequests];
  if (accesses == 0) return std::nullopt;
  const Outcome then = outcome_if(s, [](Counts& k) {
    uint64_t gone = k[LocalLoadRequests] + k[LocalStoreRequests];
    for (Counter counter : {Instructions, PipeLsu}) k[counter] -= std::min(k[counter], gone);
    // What they store reaches L2.
    for (Counter counter : {L2WriteSectors, L2AllWriteSectors})
      k[counter] -= std::min(k[counter], k[LocalStoreSectors]);
    for (Counter counter : {LocalLoadRequests, LocalLoadSectors, LocalStoreRequests, LocalStoreSectors}) k[counter] = 0;
  });
  const LineCounts* line =
      heaviest_line(s.launch, [](const Counts& k) { return double(k[LocalLoadRequests] + k[LocalStoreRequests]); });
  return worth(s, then,
               fmt::format("{:.0f} local memory requests per warp; a thread has {} bytes of local memory",
                           double(accesses) / double(s.launch.warps()), s.launch.local_bytes),
               "index the arrays of a thread by constants only (#pragma unroll on the loop), or make them smaller",
               place_of(line));
}

}  // namespace warpwise::perf::rules
