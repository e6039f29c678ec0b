// Pure instructions whose operands are known in the prologue of a warp (constants of the block and of the warp) move
// there: a region behind a barrier computes them again, which is cheaper than to keep them in memory across it.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// `warp_function` as in split_at_barriers.h. Leaves functions without barriers alone. True when something has moved.
bool hoist_into_prologue(llvm::Function& warp_function);

}  // namespace warpwise::simt
