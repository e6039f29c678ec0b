// Products of warp fragments for the engine: bit for bit those of multiply() at the speed of vectors (tile_kernel.h),
// or faster still, without the rounding of tensor cores.
#pragma once

#include "numerics/product.h"

namespace warpwise::numerics {

enum class Fidelity : uint8_t {
  Exact,  // bit by bit the results of the device
  Quick,  // 16-bit and tf32 operands: fused multiply-adds of floats, in the order of k; results differ in the last bits
};

void multiply_fast(unsigned capability, TensorUnit unit, Fidelity fidelity, const Product& product,
                   const uint32_t* inputs, uint32_t* outputs);

}  // namespace warpwise::numerics
