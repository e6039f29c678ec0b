// Words of shared memory that every warp reads before it writes anything, read once for the block.
//
//     s[0] = …;  __syncthreads();  float most = s[0];  …  s[warp] = sum;  __syncthreads();
//
// Warps of a region run one after the other. Here the first one has overwritten s[0] when the second reads it: a race,
// since no barrier stands between, but one that hardware hardly ever loses, because its warps all read right behind the
// barrier. So such words are read where the region starts, before any warp runs, which is as good an order as any
// other, and cheaper than a load for each warp.
//
// The words of neighbouring lanes, s[threadIdx.x % 32], are the same for all warps, too: a block's sum that is made of
// its warps' sums, round after round with one barrier each. They are hoisted where some warp of the region writes at
// all.
//
// A word qualifies when its place in shared memory is a constant and no path from the region's start to the load writes
// what may be shared memory. Loads under a condition, and of some lanes, are read early only where they lie inside the
// block's shared memory; else the load stays.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// `region` as in walk_warps.h. Returns void @head(ptr block, ptr common, i1 all), to be called where warps enter the
// region, or null when there is nothing to read; what it leaves in `common` lies behind the first `common_bytes`, which
// grow. `all`: the whole block enters. If it may be that only some warps do, which is what `apart` says, each of them
// then reads for itself.
llvm::Function* hoist_block_reads(llvm::Function& region, bool apart, uint64_t& common_bytes);

}  // namespace warpwise::simt
