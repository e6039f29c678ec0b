// The hints of a problem, from a nudge to nearly the code: the parts of hints.md, one below each heading `## Hint N`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::lab {

std::vector<std::string> hints_of(std::string_view text);

}  // namespace warpwise::lab
