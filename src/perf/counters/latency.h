// From cells to waits: what a warp of a launch waits for (chains.h), on average.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perf/counters/sums.h"

namespace warpwise::perf {

// Of one of `warps` warps that have run the kernel, in `blocks` blocks. `sites`: by InstructionFacts::access_index,
// what loads find.
LatencyProfile latency_of(const KernelFacts& facts, const CellSums<double>& sums, uint64_t warps, uint64_t blocks,
                          const std::vector<std::optional<WaitedLoads>>& sites);

}  // namespace warpwise::perf
