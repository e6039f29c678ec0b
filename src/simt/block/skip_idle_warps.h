// Warps that have nothing to do in a region, and with them all that follow.
//
// The steps of a tree over a block (`if (threadIdx.x < offset) …; __syncthreads();`) leave ever more warps
// idle. A region in which a warp does nothing when a comparison that can only turn from true to false with
// the number of the warp is false for all its lanes tells the block so: its answer then has kIdleRegion set,
// and the walk over the warps ends there.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Set in what a region returns: all later warps of the block have nothing to do in it.
constexpr uint32_t kIdleRegion = uint32_t{1} << 30;

// `warp` is the region's argument that counts the warps, `next` the one through which it writes what is the same
// for all warps (walk_warps.h).
bool find_idle_steps(llvm::Function& region, llvm::Argument* warp, llvm::Argument* next);

}  // namespace warpwise::simt
