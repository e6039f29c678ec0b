// Paragraphs of a statement, a hint or a lesson for the width of the terminal. Drawings, tables, lists and code keep
// their lines.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cli {

// The columns of the terminal on standard output, or of COLUMNS where that is set; 0 where there is neither.
unsigned terminal_columns();

// Markdown whose paragraphs have lines of at most `columns` characters; as it is for 0 columns, and where all lines
// fit.
std::string fit_width(std::string_view markdown, unsigned columns);

}  // namespace warpwise::cli
