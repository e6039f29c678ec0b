// What red does to one number of global memory, for instructions that do it at several places (multimem.cpp).
#pragma once

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// *at = *at op b, the operation and type of the instruction; b in that type. As red.global: f32 flushes subnormals.
void reduce(Emit& e, Place at, Value b);

}  // namespace warpwise::simt
