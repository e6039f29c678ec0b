// atom.add.f32 leaves PTX's NaN in memory (PTX ISA 9.7.3), and on global memory it flushes denormals: the operand, the
// value found and the sum (PTX ISA, atom). The host's atomic fadd does neither. Lowering flushes the operand and marks
// the atomicrmw with `!ww.ftz`; all of f32 become
//
//     old = *p
//     do  next = canonical(ftz(ftz(old) + operand))   while (!compare_exchange(p, old, next))
//
// LLVM would make the same loop of an atomic fadd on x86.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace warpwise::simt {

void expand_atomics(llvm::Function& function);

// x + y; of floats with PTX's NaN.
llvm::Value* canonical_sum(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Value* y);

}  // namespace warpwise::simt
