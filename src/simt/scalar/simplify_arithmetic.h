// Removes dead and repeated arithmetic: common subexpressions, InstCombine, SimplifyCFG, dead code.
//
// It must come after canonical_nan: to LLVM `x * 1` is `x`, but in PTX a NaN that comes out of it is the canonical NaN.
// Nothing is hoisted or sunk across branches: lanes would reconverge where the program does not say so.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// `keep_places`: loads stay in the blocks that contain them, for code with checks.
void simplify_arithmetic(llvm::Function& function, bool keep_places);

}  // namespace warpwise::simt
