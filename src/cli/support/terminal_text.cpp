#include "cli/support/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
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

constexpr size_t kNarrowest = 20;  // columns of text

// Where the continuation of a line begins: at its second column, or where its first begins if the second leaves too
// little room.
size_t indent_of(std::string_view line, size_t width) {
  const size_t first = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.find("  ", first);
  if (gap == line.npos) return first;
  const size_t second = line.find_first_not_of(' ', gap);
  if (second == line.npos) return first;
  const size_t column = columns_of(line.substr(0, second));
  return column + kNarrowest <= width ? column : first;
}

}  // namespace

size_t columns_of(std::string_view text) {
  size_t columns = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033')
      i = std::min(text.find('m', i), text.size());  // a colour
    else if ((text[i] & 0xc0) != 0x80)
      ++columns;
  }
  return columns;
}

std::string in_columns(std::string_view text, size_t before, size_t width) {
  if (width < before + kNarrowest) return std::string(text);
  std::string out;
  for (size_t used = before; !text.empty();) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (used > before && used + 1 + columns_of(word) > width) {
      out += "\n" + std::string(before, ' ');
      used = before;
    } else if (used > before) {
      out += ' ', ++used;
    }
    out += word;
    used += columns_of(word);
  }
  return out;
}

std::string fitted(std::string_view text, size_t width) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    const bool ended = end < text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t indent = indent_of(line, width);
    while (width > 0 && columns_of(line) > width) {
      // The last blank that keeps the line within the width, after the indentation.
      size_t at = 0, cut = 0;
      for (size_t column = 0; at < line.size() && column <= width; ++at) {
        if (line[at] == ' ' && column > indent) cut = at;
        if ((line[at] & 0xc0) != 0x80) ++column;
      }
      if (cut == 0) {  // one long word: the next line begins after it
        // A word that does not fit beside an option stands below it.
        if (const size_t label = line.find_last_not_of(' ', indent - 1); indent > 0 && label != line.npos) {
          out += line.substr(0, label + 1) + "\n";
          line = std::string(indent, ' ') + line.substr(indent);
          continue;
        }
        cut = line.find(' ', at);
        if (cut == line.npos) break;
      }
      out += line.substr(0, line.find_last_not_of(' ', cut) + 1) + "\n";
      line = std::string(indent, ' ') + line.substr(cut + 1);
    }
    out += line;
    if (ended) out += '\n';
  }
  return out;
}

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
