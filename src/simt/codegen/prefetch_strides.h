// Prefetches for grid-stride loops.
//
//     for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//       sum += in[i];
//
// The threads of a grid read neighbouring words together, and a GPU runs many blocks at once. Here a warp runs its
// whole loop alone: a few lines, then a step over what all others read, often hundreds of kilobytes. A processor's own
// prefetchers stop at the end of a page, so each line costs the latency of memory: 512 MB took three times as long as
// from one end to the other. So such loads ask for the lines that they need some steps later.
//
// A loop counts as one over the grid if its step is computed from the number of blocks. Any other step that is not
// known may be short, or the array be one that a cache holds, where prefetches only cost time.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// `function` is the program of a block or of a warp, behind LLVM's passes: its first argument is the BlockContext. True
// when there are prefetches now.
bool prefetch_strides(llvm::Function& function);

}  // namespace warpwise::simt
