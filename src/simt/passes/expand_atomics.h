// atom.add.f32 on global memory flushes denormals: the operand, the value found and the sum (PTX ISA,
// atom). Lowering flushes the operand and marks the atomicrmw with `!ww.ftz`; the host's fadd does not
// flush the rest, so marked ones become
//
//     old = *p
//     do  next = ftz(ftz(old) + operand)   while (!compare_exchange(p, old, next))
//
// LLVM would make the same loop of an atomic fadd on x86; only the two flushes are added.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void expand_atomics(llvm::Function& function);

}  // namespace warpwise::simt
