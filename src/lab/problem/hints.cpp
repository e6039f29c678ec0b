#include "lab/problem/hints.h"

#include <algorithm>

namespace warpwise::lab {

std::vector<std::string> hints_of(std::string_view text) {
  std::vector<std::string> hints;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("## "))
      hints.emplace_back();
    else if (!hints.empty())
      hints.back() += std::string(line) + "\n";
  }
  for (std::string& hint : hints) {
    hint.erase(0, hint.find_first_not_of('\n'));
    while (hint.ends_with("\n\n")) hint.pop_back();
  }
  return hints;
}

}  // namespace warpwise::lab
