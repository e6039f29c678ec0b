// The operands of texture and surface instructions: vectors whose lengths and types follow from geometry and modifiers
// (PTX ISA 9.7.10, 9.7.11), which patterns cannot express.
#pragma once

#include "ptx/verify/verify_operand.h"

namespace warpwise::ptx {

// For executed rows of Unit::Texture, after their pattern was verified.
bool verify_image(OperandContext& context, const Instruction& instruction);

}  // namespace warpwise::ptx
