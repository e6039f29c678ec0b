// What red makes of a number of global memory, for those who do it at several places (multimem.cpp).
#pragma once

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// old op b, the operation and type of the instruction. As red.global: f32 flushes subnormals.
Bits reduced(const Step& s, Bits old, Bits b);

}  // namespace warpwise::exec::interpreter
