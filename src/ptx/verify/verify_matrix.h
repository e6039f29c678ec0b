// The verifier's checks of matrix instructions: whether shape and types go together (matrix_forms.inc), and whether
// every operand has the registers that it needs.
#pragma once

#include "ptx/verify/verify_operand.h"

namespace warpwise::ptx {

bool is_matrix_instruction(const Instruction& instruction);
void verify_matrix(OperandContext& context, const Instruction& instruction);

}  // namespace warpwise::ptx
