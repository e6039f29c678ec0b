// Makes NaN results PTX's canonical NaN where their bits can be observed.
//
// NaN results of f32 and f16 arithmetic are 0x7fffffff and 0x7fff (PTX ISA 9.7.3, 9.7.4). The host's instructions make
// other NaNs. Lowering marks the places where a float's bits leave arithmetic (stores, moves into integers) with
// `ww.canonical.f32(x)`; see lower/support/emit.h. This pass runs once registers are SSA values and decides each mark:
//
//     x was only moved (loaded, shuffled, made from bits,   the mark goes, the payload survives
//     narrowed from f64)
//     x was computed, by neg and abs too                     select(x is NaN, 0x7fffffff, x)
//     x is a choice between both (phi, select)               the marks move to its computed inputs. If a loop carries
//     x,
//                                                            one mark stays behind the loop instead, under a bit that
//                                                            takes the same way as x and says whether x was computed:
//                                                            the loop compares nothing
//
// f64 has no canonical NaN. There a mark behind neg or abs, y = -x, becomes select(x is NaN, quiet x, y): GPUs leave
// the sign of a NaN alone.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void canonical_nan(llvm::Function& function);

}  // namespace warpwise::simt
