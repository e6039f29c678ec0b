#include "cli/lab/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpwise::cli {
namespace {

constexpr size_t kContext = 3;
// The table of the longest common subsequence has the product of both lengths; beyond this all lines count as changed.
constexpr size_t kMostCells = 4 << 20;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct Line {
  char sign;
  std::string_view text;
};

std::vector<Line> compared(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  const size_t n = a.size(), m = b.size();
  std::vector<Line> out;
  if ((n + 1) * (m + 1) > kMostCells) {
    for (std::string_view line : a) out.push_back({'-', line});
    for (std::string_view line : b) out.push_back({'+', line});
    return out;
  }
  // common[i][j]: of the lines from i and from j on.
  std::vector<std::vector<uint32_t>> common(n + 1, std::vector<uint32_t>(m + 1));
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  for (size_t i = 0, j = 0; i < n || j < m;) {
    if (i < n && j < m && a[i] == b[j])
      out.push_back({' ', a[i]}), ++i, ++j;
    else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1]))
      out.push_back({'-', a[i++]});
    else
      out.push_back({'+', b[j++]});
  }
  return out;
}

}  // namespace

std::string line_diff(std::string_view before, std::string_view after, bool color) {
  const std::vector<Line> lines = compared(lines_of(before), lines_of(after));
  std::string out;
  bool gap = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t first = i < kContext ? 0 : i - kContext, last = std::min(i + kContext + 1, lines.size());
    if (std::all_of(lines.begin() + ptrdiff_t(first), lines.begin() + ptrdiff_t(last),
                    [](const Line& l) { return l.sign == ' '; })) {
      gap = true;
      continue;
    }
    if (gap) out += "…\n";
    gap = false;
    const char* sgr = lines[i].sign == '-' ? "\033[31m" : lines[i].sign == '+' ? "\033[32m" : "";
    out += (color ? sgr : "") + std::string(1, lines[i].sign) + std::string(lines[i].text) +
           (color && *sgr ? "\033[0m" : "") + "\n";
  }
  return out;
}

}  // namespace warpwise::cli
