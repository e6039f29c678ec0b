// Fits the paragraphs and lists of a statement, a hint or a lesson to the width of the terminal. Drawings, tables,
// headings and code keep their lines: what is indented, and what has two blanks between its words.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cli {

// COLUMNS where that is set; otherwise the columns of the terminal on standard output; 0 where there is neither.
unsigned terminal_columns();

// The Markdown with paragraphs broken between words into lines of at most `columns` characters; a longer word has a
// line of its own. Unchanged where all lines fit, and for fewer than 40 columns (0 included), where breaking makes it
// worse.
std::string fit_width(std::string_view markdown, unsigned columns);

// "Right. The last warp …": Markdown behind a label, fitted to terminal_columns() and as the terminal shows it, the
// label in the style `sgr`.
std::string fit_behind(const std::string& label, std::string_view markdown, const char* sgr, bool color);

}  // namespace warpwise::cli
