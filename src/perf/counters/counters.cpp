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

}  // namespace warpwise::perf
