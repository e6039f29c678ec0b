// Fits the paragraphs of a statement, a hint or a lesson to the width of the terminal. Only lines that begin with a
// letter or a similar character belong to paragraphs. Drawings, tables, lists (numbered ones included), headings and
// code keep their lines.
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

}  // namespace warpwise::cli
