// What a problem forbids, looked for in the text of a submission. A text can hide much (macros, token pasting). This
// check only shows honest users what the exercise is; anything that must not happen is prevented where it would happen.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "lab/judge/judge.h"

namespace warpwise::lab {

std::string without_comments(const std::string& source) {
  std::string out;
  size_t i = 0;
  auto keep_line_ends = [&](size_t to) {
    for (; i < std::min(to, source.size()); ++i)
      if (source[i] == '\n') out += '\n';
  };
  while (i < source.size()) {
    if (source.compare(i, 2, "//") == 0) {
      keep_line_ends(std::min(source.find('\n', i), source.size()));
    } else if (source.compare(i, 2, "/*") == 0) {
      const size_t end = source.find("*/", i + 2);
      keep_line_ends(end == source.npos ? source.size() : end + 2);
      out += ' ';
    } else if (source[i] == '"') {
      const size_t line = out.rfind('\n') + 1;
      const bool include = out.find("#", line) != out.npos;
      const size_t start = i++;
      while (i < source.size() && source[i] != '"' && source[i] != '\n') i += source[i] == '\\' ? 2 : 1;
      i = std::min(i + 1, source.size());
      out += include ? source.substr(start, i - start) : "\"\"";
    } else {
      out += source[i++];
    }
  }
  return out;
}

namespace {}  // namespace

std::optional<std::string> find_forbidden(const Problem& problem, const std::string& source) {
  const auto& forbidden = problem.forbidden;
  if (forbidden.names.empty() && forbidden.includes.empty()) return std::nullopt;
  const std::string text = without_comments(source);
  auto describe = [&](std::string_view what, size_t at) {
    return fmt::format("`{}` (line {}): {}", what, 1 + std::count(text.begin(), text.begin() + ptrdiff_t(at), '\n'),
                       forbidden.why);
  };
  for (const std::string& name : forbidden.names)
    for (size_t at = 0; (at = text.find(name, at)) != text.npos; at += name.size()) {
      const size_t end = at + name.size();
      if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end])))
        return describe(name, at);
    }
  for (const std::string& header : forbidden.includes)
    for (char opening : {'<', '"'})
      if (size_t at = text.find(opening + header); at != text.npos)
        return describe("#include " + std::string(1, opening) + header, at);
  return std::nullopt;
}

}  // namespace warpwise::lab
