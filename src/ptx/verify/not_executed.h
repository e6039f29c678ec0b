// Why an instruction of a row that is Recognised is not executed, as a sentence for P0900: what it would take, and why
// that is not there. Operands that no row tells apart (a depth, a sampler of its own) are refused where they are
// verified (verify_image.cpp).
#pragma once

#include <string_view>

#include "ptx/module.h"

namespace warpwise::ptx {

std::string_view why_not_executed(const Instruction& instruction);

}  // namespace warpwise::ptx
