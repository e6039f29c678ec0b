// The difference of two short texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::cli {

// " kept", "-gone", "+new"; of kept lines only those within three of a change.
std::string line_diff(std::string_view before, std::string_view after, bool color);

}  // namespace warpwise::cli
