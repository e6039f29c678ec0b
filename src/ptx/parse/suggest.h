// "Did you mean": the nearest of some names.
#pragma once

#include <span>
#include <string_view>

namespace warpwise::ptx {

// The candidate with the smallest edit distance to `word` if it is near enough, else "".
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace warpwise::ptx
