// The verifier's checks of what copies or stores beside the threads (9.7.9.25, 9.7.9.27): sizes, coordinates, targets.
#pragma once

#include "ptx/verify/verify_operand.h"

namespace warpwise::ptx {

bool is_asynchronous_copy(Op op);
// For one of those. False after an error.
bool verify_copy(OperandContext& context, const Instruction& instruction);

}  // namespace warpwise::ptx
