// The dot product of each device's tensor cores: tensor_cores.inc.
#pragma once

#include "numerics/dot.h"

namespace warpwise::numerics {

enum class TensorUnit : uint8_t { Mma, QuadPairs, Wgmma, Tcgen05, Tcgen05Groups };

// `capability`: ten times the major number plus the minor one, 90 for 9.0. For an element that the architecture does
// not have, the rule is that of the oldest architecture that has it.
DotRule dot_rule(unsigned capability, TensorUnit unit, Element element);

}  // namespace warpwise::numerics
