// PTX's NaN where somebody can see it.
//
// Results of f32 and f16 arithmetic that are NaN are 0x7fffffff and 0x7fff (PTX ISA 9.7.3, 9.7.4), while the
// host's are what its instructions make of their operands. Lowering marks the places where a float's
// bits leave arithmetic (stores, moves into integers) with `ww.canonical.f32(x)`; see support/emit.h. This
// pass runs once registers are SSA values and decides each mark:
//
//     x was only moved (loaded, shuffled, made from bits,   the mark goes, the payload survives
//     narrowed from f64)
//     x was computed, by neg and abs too                     select(x is NaN, 0x7fffffff, x)
//     x is a choice between both (phi, select)               the marks move to its computed inputs,
//                                                            unless a loop carries x: then one mark stays
//                                                            behind the loop and asks a bit that goes the same
//                                                            way as x whether x was computed, so that the loop
//                                                            compares nothing
//
// f64 has no NaN of its own. There a mark behind neg or abs, y = -x, becomes select(x is NaN, quiet x, y): GPUs leave
// the sign of a NaN alone.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void canonical_nan(llvm::Function& function);

}  // namespace warpwise::simt
