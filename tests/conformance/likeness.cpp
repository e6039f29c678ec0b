#include "likeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

namespace warpwise::conformance {
namespace {

struct Line {
  std::string text;  // as it was printed, with single blanks
  std::string form;  // with # for each number
  std::vector<double> numbers;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number begins at a digit, or at a point before one, that does not go on with a word: in `sm90` and `v1.2` there is
// none. Signs are text, which keeps `1-2` apart from `1 -2`.
Line with_form(std::string text) {
  Line line{std::move(text), {}, {}};
  const std::string& from = line.text;
  for (size_t i = 0; i < from.size();) {
    bool begins = is_digit(from[i]) || (from[i] == '.' && i + 1 < from.size() && is_digit(from[i + 1]));
    bool in_word = i > 0 && (std::isalnum(static_cast<unsigned char>(from[i - 1])) || from[i - 1] == '_');
    if (!begins || in_word) {
      line.form += from[i++];
      continue;
    }
    char* end = nullptr;
    line.numbers.push_back(std::strtod(from.c_str() + i, &end));
    line.form += '#';
    i = static_cast<size_t>(end - from.c_str());
  }
  return line;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of("\n\r"), text.size());
    std::string line;
    for (char c : text.substr(0, end)) {
      bool blank = c == ' ' || c == '\t';
      if (blank && (line.empty() || line.back() == ' ')) continue;
      line += blank ? ' ' : c;
    }
    if (!line.empty() && line.back() == ' ') line.pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && !line.starts_with("warpwise: ")) lines.push_back(with_form(std::move(line)));
  }
  return lines;
}

bool near(double a, double b, double tolerance) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

}  // namespace

std::string first_difference(std::string_view printed, std::string_view wanted, const std::vector<std::string>& varies,
                             double tolerance) {
  std::vector<std::regex> patterns;
  for (const std::string& pattern : varies) patterns.emplace_back(pattern, std::regex::extended | std::regex::icase);
  auto may_vary = [&](const Line& line) {
    return std::ranges::any_of(patterns, [&](const std::regex& one) { return std::regex_search(line.text, one); });
  };
  auto agree = [&](const Line& a, const Line& b) {
    if (a.text == b.text) return true;
    if (a.form != b.form) return false;
    return may_vary(a) ||
           std::ranges::equal(a.numbers, b.numbers, [&](double x, double y) { return near(x, y, tolerance); });
  };
  std::vector<Line> ours = lines_of(printed), theirs = lines_of(wanted);
  constexpr size_t kShown = 100;
  auto shown = [](const std::vector<Line>& lines, size_t i) {
    return i < lines.size() ? "`" + lines[i].text.substr(0, kShown) + "`" : std::string("nothing");
  };
  for (size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i)
    if (i >= ours.size() || i >= theirs.size() || !agree(ours[i], theirs[i]))
      return fmt::format("line {}: {} instead of {}", i + 1, shown(ours, i), shown(theirs, i));
  return {};
}

}  // namespace warpwise::conformance
