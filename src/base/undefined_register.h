// How builds for checkers name the registers of PTX that hold what a variable is before it is set: no instruction
// writes one, and one instruction reads it, at the place of the variable's declaration
// (toolchain/undefined_variables.h).
#pragma once

#include <string_view>

namespace warpwise {

constexpr std::string_view kUndefinedRegister = "$undefined_";

}  // namespace warpwise
