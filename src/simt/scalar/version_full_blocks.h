// Blocks whose threads all stay.
//
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i >= n) return;
//     for (…) …
//
// Nearly every kernel begins so, and in nearly every block nobody leaves. But since somebody may, warps part there:
// each is run by itself and under a mask. So the block asks first, and what follows exists twice: for blocks whose
// threads all stay, where no mask is left and warps run side by side (interleave_warps.h), and as it was, for the
// blocks at the edge of the grid. To the passes behind this one the question is a bar.red, and each of the two begins
// with a barrier, which makes it a region of its own.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// On a scalar kernel with tidy control flow (prepare.h), and leaves it so. False where nothing was to be gained: no
// threads leave at the start, no loop follows, barriers do, one warp is the block, or twice the code would be too much.
bool version_full_blocks(llvm::Function& kernel, const BlockShape& block);

}  // namespace warpwise::simt
