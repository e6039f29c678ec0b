#include "lab/judge/printed_reads.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/words.h"
#include "lab/judge/judge.h"

namespace warpwise::lab {
namespace {

constexpr std::string_view kCall = "printf";

// The text between the parenthesis at `open` and the one that closes it; "" where none does.
std::string_view between_parentheses(std::string_view text, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(';
    if (text[i] == ')' && --depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return "";
}

// `a[i]`, `p->x`, `*p` at the beginning of an argument; a product is none.
bool reads_memory(std::string_view arguments) {
  if (arguments.find('[') != arguments.npos || arguments.find("->") != arguments.npos) return true;
  for (size_t at = 0; (at = arguments.find(',', at)) != arguments.npos; ++at) {
    const size_t first = arguments.find_first_not_of(" \t\r\n(", at + 1);
    if (first != arguments.npos && arguments[first] == '*') return true;
  }
  return false;
}

}  // namespace

std::optional<size_t> line_of_printed_read(const std::string& source) {
  const std::string text = without_comments(source);
  for (size_t at = 0; (at = text.find(kCall, at)) != text.npos; at += kCall.size()) {
    if (at > 0 && is_word_character(text[at - 1])) continue;
    const size_t open = text.find_first_not_of(" \t\r\n", at + kCall.size());
    if (open == text.npos || text[open] != '(' || !reads_memory(between_parentheses(text, open))) continue;
    return 1 + size_t(std::count(text.begin(), text.begin() + ptrdiff_t(at), '\n'));
  }
  return std::nullopt;
}

}  // namespace warpwise::lab
