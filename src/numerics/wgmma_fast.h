// wgmma for the engine: bit for bit the results of multiply_warpgroup() at the speed of vectors (tile_kernel.h).
#pragma once

#include "numerics/multiply_fast.h"
#include "numerics/wgmma.h"

namespace warpwise::numerics {

std::string multiply_warpgroup_fast(unsigned capability, Fidelity fidelity, const WgmmaForm& form,
                                    const WgmmaOperands& operands);

}  // namespace warpwise::numerics
