// Addresses in shared and in local memory have 32 bits. Registers of 64 bits may hold them, and 64-bit code may compute
// them: `p[~x]` with an unsigned x adds 4 * (2^32 - 1 - x) bytes, which is -4 * (1 + x) for the GPU. ptxas 13.0 drops
// the upper halves of such registers and makes one immediate of a 32-bit sum and a constant, so that the sum wraps as
// well.
//
// Here an offset is a 64-bit number. Where it may be wrong by a multiple of 2^32 it becomes
//
//     sext(the same sum in 32 bits) + constant
//
// The signed reading is exact: an offset within memory is below 2^31, and one that is not stays outside, whatever its
// sign. The constant stays apart, and one register serves several accesses. A 32-bit sum has a lane pattern without
// overflow guards.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Runs after each simplify_arithmetic, whose InstCombine would make shifts of the extended truncations: those have no
// lane shape.
void wrap_addresses(llvm::Function& function);

// The largest distance that is added to a signed 32-bit offset in 64 bits. With a larger one the sum of an address near
// -2^31 could miss a place in memory by 2^32.
constexpr int64_t kFarthestConstant = int64_t{1} << 30;

}  // namespace warpwise::simt
