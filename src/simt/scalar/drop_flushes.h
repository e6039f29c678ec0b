// Leaves out flushes of numbers that cannot be subnormal (.ftz, which -use_fast_math asks for everywhere).
//
// Each operand and each result of an .ftz instruction is flushed (lower/support/rounding.h). Most operands are results
// of such instructions, integers, constants, or choices of these:
//
//     add.ftz.f32 %f3, %f1, %f2;                 %3 = flush(flush(%1) + flush(%2))
//     mul.ftz.f32 %f4, %f3, %f3;                 %4 = flush(%3 * %3)                 not flush(flush(%3) * flush(%3))
//
// This pass runs once registers are SSA values. A number that a loop carries is flushed if all that becomes of it is.
// Where the processor flushes results (analysis/flushing_arithmetic.h), what remains are flushes of loaded numbers.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace warpwise::simt {

// Whether there was any. `by_processor`: it flushes the results of arithmetic.
bool drop_flushes(llvm::Function& function, bool by_processor);
// Tells LLVM, which folds constants, that the processor flushes results.
void mark_as_flushing(llvm::Module& module);

}  // namespace warpwise::simt
