// Guard versioning: code after the bounds guard of a kernel is made twice, for full blocks and for blocks at the edge
// of the grid.
//
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i >= n) return;                                      the guard
//     for (…) …
//
// Nearly every kernel begins like this, and in nearly every block no thread leaves at the guard. But one may, so warps
// diverge there: the code after the guard runs under a mask, warp by warp. Instead, the block tests the guard first.
//
//     if (bar.red.or(i >= n))   the code as it was              blocks at the edge
//     else                      the code without the guard      full blocks: no mask, and warps are interleaved
//                                                               (block/interleave_warps.h)
//
// To later passes the test is a bar.red, and each version begins with a barrier, which makes it a region of its own.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// `kernel` is scalar, with tidy control flow (tidy_control_flow.h), and stays so. False where there is nothing to gain:
// no thread leaves at the start, no loop follows or barriers do, the block is one warp, or the copy would be too large.
bool version_full_blocks(llvm::Function& kernel, const BlockShape& block);

}  // namespace warpwise::simt
