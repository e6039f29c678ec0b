// Skips inactive warps: ends the walk over the warps once a warp, and hence all that follow, has nothing to do.
//
// The steps of a tree over a block (`if (threadIdx.x < offset) …; __syncthreads();`) leave ever more warps inactive.
// The pass looks for a region in which a warp does nothing if a comparison is false for all its lanes, where the
// comparison can only turn from true to false as the number of the warp grows. Such a region reports it: its return
// value then has kLaterWarpsInactive set, and the walk over the warps ends there.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Set in what a region returns: all later warps of the block have nothing to do in it.
constexpr uint32_t kLaterWarpsInactive = uint32_t{1} << 30;

// `warp` is the region's argument that counts the warps, `next` the one through which it writes what is the same
// for all warps (walk_warps.h). False where the region is left as it was.
bool skip_inactive_warps(llvm::Function& region, llvm::Argument* warp, llvm::Argument* next);

}  // namespace warpwise::simt
