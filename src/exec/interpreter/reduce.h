// What red makes of a number in global memory, for instructions that do it at several places (multimem.cpp).
#pragma once

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// old op b, the operation and type of the instruction. As red.global: f32 flushes subnormals.
Bits reduced(const Step& s, Bits old, Bits b);

}  // namespace warpwise::exec::interpreter
