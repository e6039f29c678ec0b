// Markdown as a terminal shows it: headings and emphasis by colour, everything else as it was written. The texts of
// problems are written for this.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cli {

std::string terminal_text(std::string_view markdown, bool color);

// `text` with its lines broken between words where they are longer than `width` columns (0: never). The rest of a
// broken line begins below its second column, if it has one (after two blanks or more) with room for text, or otherwise
// below its first word.
std::string fitted(std::string_view text, size_t width);

// Columns that a terminal takes for UTF-8 text: its characters, as all of ours are one column wide; colours take none.
size_t columns_of(std::string_view text);

// `text`, whose first line begins behind `before` columns, broken between words so that all lines end before `width`
// (0: never) and begin alike. Unbroken where that would leave less than 20 columns.
std::string in_columns(std::string_view text, size_t before, size_t width);

// "5 minutes ago" for a time of UTC like "2026-01-31T12:00:00.123Z"; the text itself when it is none.
std::string how_long_ago(const std::string& utc);

}  // namespace warpwise::cli
