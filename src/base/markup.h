// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace warpwise {

// As the content of an element, or of an attribute in quotes of either kind. XML 1.0, 2.2 has no way to write most
// control characters: each becomes a question mark.
std::string escape_markup(std::string_view text);

}  // namespace warpwise
