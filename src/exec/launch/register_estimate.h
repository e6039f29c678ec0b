// How many registers a thread of a kernel needs, as an estimate for occupancy: PTX has as many virtual registers as it
// likes, and only ptxas knows what becomes of them. Counted is how many 32-bit values are alive at once, by the
// textbook's analysis (Aho et al., Compilers, 9.2.5), without those that ptxas keeps elsewhere or does not make:
//
//     ld.param.u64 %rd1, [x];          in a constant bank: an operand c[0x0][0x210] of whoever needs it
//     mov.u32 %r1, %ntid.x;            there, too; and constants are parts of instructions
//     mul.wide.s32 %rd4, %r5, 4;
//     add.s64 %rd5, %rd1, %rd4;        one IMAD.WIDE of %r5, for each array that is indexed by it: %r5 stays, not %rd4
//
// What ptxas adds (several loads under way, a pipeline of a loop's turns) or saves (values computed anew) is not
// foreseen.
#pragma once

#include "ptx/module.h"

namespace warpwise::exec {

unsigned estimate_registers(const ptx::Function& function);

}  // namespace warpwise::exec
