#include "base/markup.h"

#include <gtest/gtest.h>

namespace warpwise {
namespace {

TEST(EscapeMarkup, leaves_nothing_that_ends_a_text_or_an_attribute) {
  EXPECT_EQ(escape_markup("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(EscapeMarkup, keeps_line_ends_tabs_and_other_alphabets) { EXPECT_EQ(escape_markup("a\n\r\tb µs"), "a\n\r\tb µs"); }

TEST(EscapeMarkup, shows_control_characters_that_xml_cannot_write) {
  EXPECT_EQ(escape_markup(std::string_view("\x1b[1m\0", 5)), "?[1m?");
}

}  // namespace
}  // namespace warpwise
