// Divisions and roots of IEEE have a quick way for ordinary numbers. ptxas tests the operands, and where one lane of a
// warp has others (0 divided by anything, numbers near the ends of the exponents' range), the warp calls a function,
// which takes several times as long. How often it does is counted in the cell of the instruction.
#pragma once

#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

// Marks the lanes of the instruction that take the slow way, if it has one.
void count_slow_way(Emit& e, uint32_t instruction);

}  // namespace warpwise::simt
