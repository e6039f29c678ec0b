// Barriers cut a kernel into regions; one function runs a whole block.
//
//   void @kernel.warp(ptr %block, i32 %warp)   →   void @kernel.block(ptr %block)
//
// A warp that meets a barrier saves what it still needs in its frame and returns where to resume. The
// block function runs every warp up to the barrier, one after the other, then every warp from there:
//
//   region 0:  for each warp: entry … barrier A          (returns A)
//   region A:  for each warp: after A … barrier B or end  (returns B, or kDone)
//
// Every resume point has a copy of the code that can follow it, up to the next barriers, inlined into
// its own loop over the warps (walk_warps.h). Where warps disagree about where they stopped (an `if`
// that only some warps took), the same loops run one warp at a time, each from its own resume point. So
// barriers may stand anywhere a warp can reach as a whole: in loops, under conditions, after early returns.
//
// Mostly they cannot disagree, and the block-uniform analysis proves it (block_uniformity.h): then no state
// keeps count, values that are the same for all warps are kept once for the block, and warps that take the
// same way through a region run it side by side (interleave_warps.h).
//
// What need not be saved: the prologue (constants of the block and of the warp) is computed again in
// every region, and pure instructions that depend on it alone are moved there.
//
// Measured (design notes): regions run a 16x16 tiled matrix product 2 to 4 times as fast as a context
// switch per barrier, because the values of a warp stay in registers through each region.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/block/walk_warps.h"

namespace warpwise::simt {

// Cuts the program of a warp into regions, which are functions called `name`.region in the same module, and deletes it.
// While there are regions, each of them has the DISubprogram of the warp function.
Regions split_at_barriers(llvm::Function& warp_function, llvm::StringRef name);

}  // namespace warpwise::simt
