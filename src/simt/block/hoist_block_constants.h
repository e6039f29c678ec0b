// What every warp of a block would load and compute alike (parameters, indices of the block, bases) is loaded and
// computed once for the block. LLVM's LICM does not do it: it stops at the volatile store of the warp's number.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// `function` runs a block (walk_warps.h). True when something has moved to its entry.
bool hoist_block_constants(llvm::Function& function);

}  // namespace warpwise::simt
