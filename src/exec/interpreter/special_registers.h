#pragma once

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// What a read of %tid.x, %laneid, %clock64 ... gives (PTX ISA 10).
Bits special_register(Step& s, const ptx::Operand& operand);

}  // namespace warpwise::exec::interpreter
