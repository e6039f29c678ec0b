// min and max of floats as PTX defines them (9.7.3.11): -0 is less than +0, one NaN yields the other operand,
// two NaNs yield a NaN.
//
// AVX-512 has an instruction with just that rule, VRANGEPS, but for signalling NaNs, which it returns; they are
// made quiet first, where an operand may be one at all. Elsewhere it is a minimum, four comparisons and selects.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace warpwise::simt {

// `a` and `b` are float or double, or vectors of them. `quiet_a` and `quiet_b`: known not to be signalling NaNs.
// A NaN result is quiet and otherwise any.
llvm::Value* build_min_max(llvm::IRBuilder<>& b, llvm::Value* a, llvm::Value* c, bool is_max, bool range_instructions,
                           bool quiet_a, bool quiet_b);

// Whether a value of the scalar program comes from arithmetic, which makes no signalling NaN.
bool is_quiet(const llvm::Value* value);

}  // namespace warpwise::simt
