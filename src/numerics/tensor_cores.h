// Which dot product a device's tensor cores make: tensor_cores.inc.
#pragma once

#include "numerics/dot.h"

namespace warpwise::numerics {

enum class TensorUnit : uint8_t { Mma, QuadPairs, Wgmma, Tcgen05, Tcgen05Groups };

// `capability`: ten times the major number plus the minor one, 90 for 9.0. An element that the architecture does not
// have is added as the oldest one that has it does.
DotRule dot_rule(unsigned capability, TensorUnit unit, Element element);

}  // namespace warpwise::numerics
