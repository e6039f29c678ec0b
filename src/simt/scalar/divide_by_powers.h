// Multiplies by the reciprocal of a power of two instead of dividing by it.
//
//     y = x / (1 << n);   1.0f / (float)(1ull << n)     fixed-point scales, digits of a number
//
// The reciprocal of 2^n is exact, and its bits are the exponent's alone, so that neither the division (the slowest
// vector instruction) nor the conversion is needed. PTX's shifts give 0 where n is too large, by a choice: the
// reciprocal is one of the same choice, and infinite there. For every x the product has the bits of the quotient.
//
//     select n < 64, 1 << n, 0      becomes      select n < 64, bits(127 - n << 23), inf
//
// LLVM does this for one type of power (combineFMulOrFDivWithIntPow2 of its DAG combiner), and not through choices.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Whether there was any.
bool divide_by_powers(llvm::Function& function);

}  // namespace warpwise::simt
