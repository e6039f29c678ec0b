// "Did you mean …?": the nearest of the known words, when one is near enough to be what was meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpwise {

// The known word with the smallest edit distance (insert, delete, replace, swap of neighbours); of several the one that
// shares the longest beginning: `h10` is h100 rather than a10. "" when the distance is more than a third of the word's
// length, or than `most`.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known,
                              size_t most = std::string_view::npos);

// "; did you mean `run`?", or "" when nothing is near, or the word itself is known.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpwise
