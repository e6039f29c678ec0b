// The atomic update of one number of global memory, as red does it. For instructions that update several places
// (multimem.cpp); red itself is in atomics.cpp.
#pragma once

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// *at = *at op b, atomically. The operation and the type are those of the instruction in `e`: .add, .min, .max, or a
// logical one. b has that type. As in red.global, f32 flushes subnormals.
void reduce(Emit& e, Place at, Value b);

}  // namespace warpwise::simt
