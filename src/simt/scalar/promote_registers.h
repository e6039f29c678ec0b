// From registers in memory to SSA. Lowering gives each PTX register an alloca; LLVM's SROA promotes it.
//
// Every operation of the program is still there afterwards: canonical_nan, which comes next, relies on it.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Promotes all registers. The allocas that remain hold arguments and results of calls; their accesses are volatile.
void promote_registers(llvm::Function& function);

}  // namespace warpwise::simt
