// "Did you mean …?": the known words that complete what was typed, or the nearest, when one is near enough to be what
// was meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpwise {

// The known word with the smallest edit distance (insert, delete, replace, swap of neighbours), dashes before the names
// left out; of several the one that shares the longest beginning: `h10` is h100 rather than a10. "" when the distance
// is more than a third of the name's length, or than `most`. A known name of up to three letters is near only to its
// own beginning, to a word that begins with it, and to itself with two neighbours swapped: `--op` is not --on.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known,
                              size_t most = std::string_view::npos);

// "; did you mean `--on` or `--off`?": the known words that begin with this one, where there are at most three;
// otherwise the nearest. "" when nothing is near, or the word itself is known.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpwise
