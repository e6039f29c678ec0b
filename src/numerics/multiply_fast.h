// Products of warp fragments as the engine makes them: the bits of multiply() at the speed of vectors (tile_kernel.h),
// or, quicker still, without the tensor cores' rounding.
#pragma once

#include "numerics/product.h"

namespace warpwise::numerics {

enum class Fidelity : uint8_t {
  Exact,  // bit by bit what the device computes
  Quick,  // 16-bit and tf32 operands: fused multiply-adds of floats, in the order of k; results differ in the last bits
};

void multiply_fast(unsigned capability, TensorUnit unit, Fidelity fidelity, const Product& product,
                   const uint32_t* inputs, uint32_t* outputs);

}  // namespace warpwise::numerics
