#include "cli/lab/fit_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"

namespace warpwise::cli {
namespace {

constexpr unsigned kLeastColumns = 40;  // below this, breaking makes it worse

// The number of characters: bytes that do not continue a UTF-8 sequence.
size_t width_of(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A drawing, a table, code, a heading or a quotation. Text that is set in columns has two blanks between them.
bool is_drawn(std::string_view line) {
  return line.empty() || line[0] == '\t' || line[0] == '#' || line[0] == '|' || line[0] == '>' ||
         line.substr(std::min(line.find_first_not_of(' '), line.size())).find("  ") != line.npos;
}

// Where the text of an item of a list begins: behind "- ", "* ", "12. "; 0: it is none.
size_t item_begin(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")) return 2;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits != 0 && digits < 3 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

// A paragraph or an item, whose further lines begin at `indent`.
void add_wrapped(std::string_view paragraph, size_t indent, unsigned columns, std::string& out) {
  size_t used = 0;
  bool first = true;
  while (!paragraph.empty()) {
    const size_t end = std::min(paragraph.find(' '), paragraph.size());
    const std::string_view word = paragraph.substr(0, end);
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
    if (word.empty()) continue;
    const size_t wide = width_of(word);
    if (!first && used + 1 + wide > columns) {
      out += '\n';
      out.append(indent, ' ');
      used = indent;
    } else if (!first) {
      out += ' ', ++used;
    }
    out += word;
    used += wide;
    first = false;
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
  size_t indent = 0;  // of the paragraph's further lines
  bool code = false;
  auto flush = [&] {
    if (!paragraph.empty()) add_wrapped(paragraph, indent, columns, out);
    paragraph.clear();
  };
  const bool as_it_is = fits || columns < kLeastColumns;
  for (const std::string_view line : lines) {
    if (line.starts_with("```")) code = !code;
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    // A star may be a product that has come to the beginning of a line.
    const size_t item = paragraph.empty() || indent != 0 ? item_begin(line) : 0;
    const bool goes_on = !paragraph.empty() && first == indent;
    if (as_it_is || code || line.starts_with("```") || is_drawn(line) || (first != 0 && !goes_on)) {
      flush();
      out += line;
      out += '\n';
      continue;
    }
    if (item != 0 || (indent != 0 && first == 0)) flush();
    if (paragraph.empty()) indent = item;
    if (!paragraph.empty()) paragraph += ' ';
    paragraph += line.substr(first);
  }
  flush();
  return out;
}

std::string fit_behind(const std::string& label, std::string_view markdown, const char* sgr, bool color) {
  const std::string text = terminal_text(fit_width(label + " " + std::string(markdown), terminal_columns()), color);
  // A label of several words may be broken, in a narrow terminal.
  return text.starts_with(label) ? styled(color, sgr, label) + text.substr(label.size()) : text;
}

}  // namespace warpwise::cli
