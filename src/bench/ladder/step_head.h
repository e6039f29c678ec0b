// What the first comment of a version says of it (docs/ladder_format.md, "Steps"):
//
//     // step: each thread adds four neighbours
//     // takes: n % 4 == 0
//     // needs: sm_90a
//     // calculates: 6 * m * n * k on tensor_f16
#pragma once

#include <string_view>

#include "bench/ladder/ladder.h"

namespace warpwise::bench {

// B0001: a line that cannot be, such as `// needs: hopper`.
Result<Version> read_head(std::string_view text, const std::filesystem::path& file);
Result<Version> load_version(const std::filesystem::path& file);

// Whether a condition holds: comparisons of expressions, joined by `and`. "" always does. B0001: it is no condition.
//
//     n % 4 == 0 and columns <= 1024
Result<bool> holds(std::string_view condition, const Numbers& sizes);

// Whether a version takes a shape of its ladder.
Result<bool> takes(const Version& version, const Ladder& ladder, const Shape& shape);

// Why a device of this compute capability (times ten) cannot run it: a sentence; "": it can.
std::string what_it_lacks(const Version& version, unsigned architecture);

}  // namespace warpwise::bench
