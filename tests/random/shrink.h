// Makes a program that fails small enough to be read.
#pragma once

#include <functional>

#include "program.h"

namespace warpwise::random_programs {

// The smallest program found for which `fails` still holds.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace warpwise::random_programs
