// Which threads of a block wait, where and for what: the lines of a deadlock's report.
//
//     threads 0 to 30 wait at barrier 0, where 31 of 32 have arrived, at k.cu:7: bar.sync 0;
//     thread 31 waits for the lanes of mask 0xffffffff, at k.cu:9: shfl.sync...
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "exec/fibers/fiber_thread.h"
#include "exec/launch/block_run.h"

namespace warpwise::exec {

// At a barrier of a block.
struct BarrierArrivals {
  uint32_t threads = 0;   // that have arrived, those of a partial last warp's missing lanes included
  uint32_t expected = 0;  // 0: all live threads
};

// A line for each place and reason of the threads that have not exited, each behind a line break and `prefix`.
// `barriers`: by number; `live`: how many threads have not exited.
std::string describe_waiting(const BlockRun& run, std::span<const FiberThread> threads,
                             std::span<const BarrierArrivals> barriers, uint32_t live, const std::string& prefix);

}  // namespace warpwise::exec
