// The words of a source: what its letters, digits and underscores form. For questions that a glance answers; comments
// and strings are text like any other. Linear in the text, whatever it holds (std::regex recurses over each character).
#pragma once

#include <cctype>
#include <string_view>

namespace warpwise {

struct Word {
  std::string_view text;  // empty: there is none
  size_t end = 0;         // one past it, in the source
  char before = '\0';     // the character in front of it; '\0': it begins the source
};

inline bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The first word at or behind `from`, which is not inside one.
inline Word next_word(std::string_view source, size_t from) {
  while (from < source.size() && !is_word_character(source[from])) ++from;
  size_t end = from;
  while (end < source.size() && is_word_character(source[end])) ++end;
  return {source.substr(from, end - from), end, from == 0 ? '\0' : source[from - 1]};
}

// The first position at or behind `from` that holds no white space; the source's size where there is none.
inline size_t skip_space(std::string_view source, size_t from) {
  while (from < source.size() && std::isspace(static_cast<unsigned char>(source[from])) != 0) ++from;
  return from;
}

}  // namespace warpwise
