// PTX's state spaces for LLVM's alias analysis, once a warp's accesses have host addresses.
//
// Shared memory never overlaps what an instruction says lies elsewhere (.global, .local, .param, .const; PTX ISA 5.1).
// In the scalar function the pointers' types say so; pointers to host addresses do not. Accesses of shared memory carry
// an alias scope, and those of the other spaces that they do not reach it. Generic addresses say nothing.
#pragma once

#include <llvm/IR/Instruction.h>

namespace warpwise::simt {

// `space`: an Addrspace (dialect.h), of `access`, a load, a store or an intrinsic that loads or stores.
void keep_space(llvm::Instruction& access, unsigned space);

bool is_never_shared(const llvm::Instruction& access);

}  // namespace warpwise::simt
