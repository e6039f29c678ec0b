// What each lane gets from a warp collective once all required lanes have arrived, in independent-thread mode.
// Vectorised code has the same operations in simt/vectorise/warp_ops.cpp, the interpreter in
// interpreter/collectives.cpp: the three are compared by the instruction tests.
#pragma once

#include <cstdint>
#include <span>

#include "exec/fibers/fiber_thread.h"
#include "exec/launch/block_run.h"

namespace warpwise::exec {

// `warp`: the threads of a warp, by lane. `lanes`: those that take part, at one class of collective. Fills in the
// results of their threads; a fault (a matrix product that is not possible, say) ends the block.
void answer_collective(BlockRun& run, std::span<FiberThread> warp, uint32_t lanes);

}  // namespace warpwise::exec
