// Runs a program under an engine and looks at what it leaves behind.
#pragma once

#include <functional>
#include <string_view>

#include "program.h"

namespace warpwise::random_programs {

struct Outcome {
  std::string failure;           // "" when it ran
  std::vector<std::byte> bytes;  // outputs, counters, scratch
};
Outcome run(const Program& program, std::string_view engine);

// How two outcomes differ; "" when they do not.
std::string difference(const Program& program, const Outcome& a, const Outcome& b);

// The smallest program, found by leaving statements out, for which `fails` still holds.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace warpwise::random_programs
