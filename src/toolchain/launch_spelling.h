// Launches with blanks in their brackets: `kernel<< <grid, block>> >(…)`. Formatters that take `<<<` for a shift and a comparison write
// them so, nvcc accepts them, and Clang wants the three characters together.
//
//     kernel << <grid, block >> > (a);     as it was written
//     kernel <<< grid, block >>>  (a);     as Clang reads it: every other character keeps its line and column
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwise::toolchain {

// The source with such brackets closed up; nothing when it has none. Comments and literals are left alone, and so are templates
// (`A<B<C>> >`) and operators (`operator<< <T>`).
std::optional<std::string> with_joined_launches(std::string_view source);

}  // namespace warpwise::toolchain
