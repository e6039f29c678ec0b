// How many registers a thread of a kernel needs, as an estimate for occupancy: PTX has any number of virtual registers,
// and only ptxas allocates hardware registers for them. The estimate counts the 32-bit values that are alive at once,
// by liveness analysis (Aho et al., Compilers, 9.2.5), without those that ptxas keeps elsewhere or does not make:
//
//     ld.param.u64 %rd1, [x];          in a constant bank: an operand c[0x0][0x210] of each use
//     mov.u32 %r1, %ntid.x;            there, too; and constants are parts of instructions
//     mul.wide.s32 %rd4, %r5, 4;
//     add.s64 %rd5, %rd1, %rd4;        one IMAD.WIDE of %r5, for each array that is indexed by it: %r5 stays, not %rd4
//
// The estimate does not model what ptxas adds (several loads under way, software pipelining) or saves (values that are
// computed again).
#pragma once

#include "ptx/module.h"

namespace warpwise::exec {

unsigned estimate_registers(const ptx::Function& function);

}  // namespace warpwise::exec
