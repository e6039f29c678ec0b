// Loops over barriers whose length is known become straight lines.
//
//     for (int offset = blockDim.x / 2; offset > 0; offset /= 2) { …; __syncthreads(); }
//
// blockDim is a constant by the time a kernel is compiled, so the steps of a tree or a scan are known. Each step as
// a region of its own has constant distances between lanes and knows which warps are active, and what lives across its
// barriers can stay in registers (walk_warps.h, regions laid out warp by warp): 1.5 to 2 times the speed of the loop.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// On a scalar kernel with tidy control flow (tidy_control_flow.h), and leaves it so. False when there was nothing to
// do.
bool unroll_barrier_loops(llvm::Function& kernel);

}  // namespace warpwise::simt
