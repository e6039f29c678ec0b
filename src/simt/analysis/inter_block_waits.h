// Inter-block waits: loops in which a block waits for other blocks, and not for threads of its own.
//
//     __syncthreads();
//     if (threadIdx.x == 0) {                     a grid-wide barrier: one thread of the block arrives and waits
//       old = atomicAdd(arrived, 1);
//       while (*arrived - old < …) {}             ◄── nothing that its own block does can end this loop
//     }
//     __syncthreads();
//
// Such a loop does not need independent-thread mode: the block as a whole may yield to other blocks
// (exec/launch/simt_blocks.h), and keeps its vectors and regions. A loop qualifies when, between the barriers around
// it,
//
//   - one thread alone can reach it, and no other thread of the block writes memory; or
//   - the threads that can reach it are of one warp and leave it together, no other warp writes memory, and what their
//     own warp writes comes before the loop, or behind it for the threads that were in it; or
//   - blocks have numbers and wait for smaller ones alone (decoupled_lookback.h).
//
// "Memory" is where what the loop reads may lie: a loop that polls global memory is not ended by stores to shared
// memory. And where the threads of a block take branches together, what lies on the other side does not run meanwhile
// (common_branches.h).
//
// To find which thread reaches what, the analysis walks the control flow for each thread of the block, with the values
// of threadIdx filled in. Decoupled look-back (CUB's scan) and grid.sync() of cooperative groups are of this kind.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

bool waits_for_other_blocks(llvm::Function& function, const llvm::Loop& loop, const LaneShapes& shapes);

}  // namespace warpwise::simt
