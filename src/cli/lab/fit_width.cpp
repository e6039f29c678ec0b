#include "cli/lab/fit_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace warpwise::cli {
namespace {

constexpr unsigned kLeastColumns = 40;  // below this, breaking makes it worse

// The number of characters: bytes that do not continue a UTF-8 sequence.
size_t width_of(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

bool is_paragraph(std::string_view line) {
  return !line.empty() && !line.starts_with("```") && std::string_view(" \t#|>-*").find(line[0]) == line.npos &&
         !(line[0] >= '0' && line[0] <= '9');
}

void add_wrapped(std::string_view paragraph, unsigned columns, std::string& out) {
  size_t used = 0;
  while (!paragraph.empty()) {
    const size_t end = std::min(paragraph.find(' '), paragraph.size());
    const std::string_view word = paragraph.substr(0, end);
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
    if (word.empty()) continue;
    const size_t wide = width_of(word);
    if (used != 0 && used + 1 + wide > columns) out += '\n', used = 0;
    if (used != 0) out += ' ', ++used;
    out += word;
    used += wide;
  }
  out += '\n';
}

}  // namespace

unsigned terminal_columns() {
  if (const char* given = std::getenv("COLUMNS"); given && *given) return unsigned(std::strtoul(given, nullptr, 10));
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string fit_width(std::string_view markdown, unsigned columns) {
  std::vector<std::string_view> lines;
  bool fits = true;
  while (!markdown.empty()) {
    const size_t end = std::min(markdown.find('\n'), markdown.size());
    lines.push_back(markdown.substr(0, end));
    fits = fits && width_of(lines.back()) <= columns;
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  std::string out, paragraph;
  bool code = false;
  auto flush = [&] {
    if (!paragraph.empty()) add_wrapped(paragraph, columns, out);
    paragraph.clear();
  };
  const bool as_it_is = fits || columns < kLeastColumns;
  for (const std::string_view line : lines) {
    if (line.starts_with("```")) code = !code;
    if (as_it_is || code || !is_paragraph(line)) {
      flush();
      out += line;
      out += '\n';
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
  }
  flush();
  return out;
}

}  // namespace warpwise::cli
