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

}  // namespace
}  // namespace warpwise
