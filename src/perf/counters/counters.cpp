#include <algorithm>

#include "perf/counters/launch_counts.h"

namespace warpwise::perf {

const CounterInfo& info_of(Counter counter) {
  static constexpr CounterInfo kCounterInfo[] = {
#define COUNTER(id, name, unit, meaning) {#id, name, unit, meaning},
#include "perf/counters/counters.inc"
#undef COUNTER
  };
  return kCounterInfo[size_t(counter)];
}

void drop_local_memory(Counts& counts) {
  using enum Counter;
  auto take = [&](Counter from, uint64_t amount) { counts[from] -= std::min(counts[from], amount); };
  const double through_both = ratio(counts, L2AllWriteSectors, L2WriteSectors);
  take(L2AllWriteSectors, uint64_t(through_both * double(counts[LocalStoreSectors])));
  take(L2WriteSectors, counts[LocalStoreSectors]);
  // L1 has what was stored there.
  take(L1ReadSectors, counts[LocalLoadSectors]), take(L1ReadHits, counts[LocalLoadSectors]);
  take(PipeLsu, counts[LocalLoadRequests] + counts[LocalStoreRequests]);
  for (Counter local : {LocalLoadRequests, LocalLoadSectors, LocalStoreRequests, LocalStoreSectors}) counts[local] = 0;
}

}  // namespace warpwise::perf
