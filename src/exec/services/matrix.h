// Matrix products, as the modelled device computes them.
#pragma once

#include "exec/engine.h"
#include "numerics/multiply_fast.h"

namespace warpwise::exec {

// 90 for a device of compute capability 9.0.
inline unsigned capability_of(const Machine& machine) {
  return machine.properties->major * 10 + machine.properties->minor;
}

// Word w of lane l at [w * 32 + l].
inline void multiply(const Machine& machine, const numerics::Product& product, const uint32_t* inputs,
                     uint32_t* outputs) {
  const auto fidelity = machine.options.approximate_mma ? numerics::Fidelity::Quick : numerics::Fidelity::Exact;
  numerics::multiply_fast(capability_of(machine), numerics::TensorUnit::Mma, fidelity, product, inputs, outputs);
}

}  // namespace warpwise::exec
