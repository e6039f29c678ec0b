#include "cli/support/terminal_text.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>

namespace warpwise::cli {
namespace {

// `code` and **strong** in a line.
std::string styled_line(std::string_view line) {
  std::string out;
  bool code = false, strong = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '`') {
      out += code ? "\033[0m" : "\033[36m";
      code = !code;
    } else if (!code && line.substr(i, 2) == "**") {
      out += strong ? "\033[0m" : "\033[1m";
      strong = !strong;
      ++i;
    } else {
      out += line[i];
    }
  }
  return code || strong ? out + "\033[0m" : out;
}

}  // namespace

std::string terminal_text(std::string_view markdown, bool color) {
  std::string out;
  bool fenced = false;
  while (!markdown.empty()) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with("```")) {
      fenced = !fenced;
      continue;
    }
    if (fenced) {
      out += fmt::format("    {}\n", line);
    } else if (line.starts_with("#")) {
      const std::string_view title = line.substr(std::min(line.find_first_not_of("# "), line.size()));
      out += color ? fmt::format("\033[1m{}\033[0m\n", title) : fmt::format("{}\n", title);
    } else {
      out += (color && !line.starts_with("    ") ? styled_line(line) : std::string(line)) + "\n";
    }
  }
  return out;
}

std::string how_long_ago(const std::string& utc) {
  tm parts{};
  if (std::sscanf(utc.c_str(), "%d-%d-%dT%d:%d:%d", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
                  &parts.tm_min, &parts.tm_sec) != 6)
    return utc;
  parts.tm_year -= 1900, parts.tm_mon -= 1;
  const long seconds = long(std::time(nullptr) - timegm(&parts));
  auto text = [](long n, const char* unit) { return fmt::format("{} {}{} ago", n, unit, n == 1 ? "" : "s"); };
  if (seconds < 60) return "just now";
  if (seconds < 3600) return text(seconds / 60, "minute");
  if (seconds < 86400) return text(seconds / 3600, "hour");
  return text(seconds / 86400, "day");
}

}  // namespace warpwise::cli
