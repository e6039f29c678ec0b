// Barriers cut the program of a warp into regions.
//
//   void @kernel.warp(ptr %block, i32 %warp)   →   i32 @block.region(ptr block, i32 warp, ptr frame, …), one each
//
// A region is the code from one resume point (the start, or behind a barrier) to the next barriers. A warp that arrives
// at a barrier spills what it still needs to its frame and returns where to resume. The program of the block then runs
// every warp up to the barrier, one after the other, then every warp from there (walk_warps.h):
//
//   region 0:  for each warp: entry … barrier A           returns 1 (A)
//   region 1:  for each warp: after A … barrier B or end  returns 2 (B), or kRegionsDone
//
// Code that can follow several resume points is copied into the region of each. Barriers may therefore stand anywhere
// that a warp can reach as a whole: in loops, under conditions, after early returns. Where warps may stop at different
// places (an `if` that only some warps take), the same regions run for one warp at a time.
//
// Mostly warps cannot stop at different places, and an analysis proves it (block_uniformity.h). Then no state is needed
// to remember where each warp stopped, block-uniform values are spilled once for the block, and warps that take the
// same way through a region can be interleaved (interleave_warps.h).
//
// Not everything is spilled: each region computes the prologue (constants of the block and of the warp) again, and
// hoist_into_prologue.h moves more there.
//
// Measured: regions run a 16x16 tiled matrix product 2 to 4 times as fast as a context switch at each barrier, because
// the values of a warp stay in registers through each region.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/block/walk_warps.h"

namespace warpwise::simt {

// Cuts the program of a warp into regions, which are functions called `name`.region in the same module, and deletes it.
// While there are regions, each of them has the DISubprogram of the warp function.
Regions split_at_barriers(llvm::Function& warp_function, llvm::StringRef name);

}  // namespace warpwise::simt
