// Why an instruction of a Recognised row is not executed, as a sentence for P0900. Operands without a row of their own
// (a depth, a separate sampler) are refused by the verifier (verify_image.cpp).
#pragma once

#include <string_view>

#include "ptx/module.h"

namespace warpwise::ptx {

std::string_view why_not_executed(const Instruction& instruction);

}  // namespace warpwise::ptx
