// Expressions of problem.toml and ladder.toml: counts, grids and budgets as arithmetic over the sizes of a case.
//
//     ceil_div(n, block_x)      2 * log2(block_x) + 2      M*K
//
// Integers only; `/` and `%` are those of mathematics (rounded down), so that a negative size cannot slip through as a
// positive one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace warpwise::lab {

using Numbers = std::map<std::string, int64_t, std::less<>>;

// L0002: the text is not an expression, names something that is not in `names`, divides by zero, or leaves 64 bits.
Result<int64_t> evaluate(std::string_view expression, const Numbers& names);

// [derived]: sizes that follow from others, as names with expressions. Each may use those before it.
using Derived = std::vector<std::pair<std::string, std::string>>;
Result<Numbers> with_derived(Numbers sizes, const Derived& derived);

}  // namespace warpwise::lab
