#include "base/suggest.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace warpwise {
namespace {

const std::vector<std::string_view> kDevices{"a10", "a100", "h100", "h200", "t4"};

TEST(Suggest, nearest_word_and_of_equals_the_one_with_the_same_beginning) {
  EXPECT_EQ(nearest_word("h10", kDevices), "h100") << "a10 is as near";
  EXPECT_EQ(nearest_word("h1000", kDevices), "h100");
  EXPECT_EQ(nearest_word("a01", kDevices), "a10") << "a swap of neighbours";
  EXPECT_EQ(nearest_word("rtx4080super", kDevices), "");
  EXPECT_EQ(nearest_word("h10203", kDevices), "h100");
  EXPECT_EQ(nearest_word("h10203", kDevices, 1), "");
}

const std::vector<std::string_view> kOptions{"--device", "--devices",  "--on",     "--off",
                                             "--vs",     "--baseline", "--verbose"};

TEST(Suggest, words_that_begin_with_what_was_typed_come_first) {
  EXPECT_EQ(did_you_mean("--o", kOptions), "; did you mean `--on` or `--off`?");
  EXPECT_EQ(did_you_mean("--dev", kOptions), "; did you mean `--device` or `--devices`?");
  EXPECT_EQ(did_you_mean("--base", kOptions), "; did you mean `--baseline`?");
  EXPECT_EQ(did_you_mean("-verb", kOptions), "; did you mean `--verbose`?");
  EXPECT_EQ(did_you_mean("h", kDevices), "; did you mean `h100` or `h200`?");
  const std::vector<std::string_view> three{"abc", "abde", "abcd"};
  EXPECT_EQ(did_you_mean("ab", three), "; did you mean `abc`, `abde` or `abcd`?");
  const std::vector<std::string_view> four{"abcde", "abdef", "abefg", "abfgh"};
  EXPECT_EQ(did_you_mean("ab", four), "") << "too many to choose from";
  EXPECT_EQ(did_you_mean("--device", kOptions), "") << "what was typed";
  EXPECT_EQ(did_you_mean("-device", kOptions), "; did you mean `--device`?");
  EXPECT_EQ(did_you_mean("--", kOptions), "");
}

TEST(Suggest, short_names_are_near_only_by_a_beginning_or_a_swap) {
  EXPECT_EQ(did_you_mean("--op", kOptions), "");
  EXPECT_EQ(did_you_mean("--os", kOptions), "") << "one letter of two is no likeness, and dashes are none";
  EXPECT_EQ(did_you_mean("--sv", kOptions), "; did you mean `--vs`?");
  EXPECT_EQ(did_you_mean("--onn", kOptions), "; did you mean `--on`?");
  EXPECT_EQ(did_you_mean("t5", kDevices), "");
  EXPECT_EQ(did_you_mean("--devcie", kOptions), "; did you mean `--device`?");
}

}  // namespace
}  // namespace warpwise
