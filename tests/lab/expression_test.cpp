// Expressions of problem.toml, against arithmetic done by hand.
#include "lab/problem/expression.h"

#include <gtest/gtest.h>

namespace warpwise::lab {
namespace {

int64_t value(std::string_view text) {
  auto result = evaluate(text, {{"n", 10}, {"block_x", 32}, {"minus", -7}});
  EXPECT_TRUE(result.ok()) << text << ": " << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : INT64_MIN;
}
std::string mistake(std::string_view text) {
  auto result = evaluate(text, {{"n", 10}, {"zero", 0}});
  EXPECT_FALSE(result.ok()) << text;
  return result.ok() ? "" : result.error().code + " " + result.error().message;
}

TEST(Expression, follows_precedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("20 - 5 - 3"), 12);
  EXPECT_EQ(value("-n + 3"), -7);
  EXPECT_EQ(value("n*n"), 100);
}

TEST(Expression, rounds_quotients_down) {
  EXPECT_EQ(value("7 / 2"), 3);
  EXPECT_EQ(value("minus / 2"), -4);
  EXPECT_EQ(value("minus % 4"), 1);
  EXPECT_EQ(value("7 % 4"), 3);
}

TEST(Expression, has_functions) {
  EXPECT_EQ(value("ceil_div(n, block_x)"), 1);
  EXPECT_EQ(value("ceil_div(64, block_x)"), 2);
  EXPECT_EQ(value("ceil_div(65, block_x)"), 3);
  EXPECT_EQ(value("min(n, 3) + max(n, 3)"), 13);
  EXPECT_EQ(value("log2(block_x)"), 5);
  EXPECT_EQ(value("log2(63)"), 5);
}

TEST(Expression, says_what_is_wrong) {
  EXPECT_NE(mistake("m + 1").find("there is no size `m`"), std::string::npos);
  EXPECT_NE(mistake("1 +").find("ends too early"), std::string::npos);
  EXPECT_NE(mistake("(1").find("`)` is missing"), std::string::npos);
  EXPECT_NE(mistake("1 2").find("not expected"), std::string::npos);
  EXPECT_NE(mistake("n / zero").find("division by zero"), std::string::npos);
  EXPECT_NE(mistake("n % zero").find("division by zero"), std::string::npos);
  EXPECT_NE(mistake("sqrt(n)").find("no function `sqrt`"), std::string::npos);
  EXPECT_NE(mistake("min(n)").find("takes 2 arguments"), std::string::npos);
  EXPECT_NE(mistake("log2(zero)").find("positive"), std::string::npos);
  EXPECT_EQ(mistake("m").substr(0, 5), "L0002");
}

TEST(Expression, stays_within_64_bits) {
  for (const char* text :
       {"9223372036854775807 + 1", "9223372036854775808", "3037000500 * 3037000500", "-9223372036854775807 - 2"})
    EXPECT_NE(mistake(text).find("leaves 64 bits"), std::string::npos) << text;
  // The quotient times the divisor would leave them, the remainder does not: 2^63 is 2 more than a multiple of 3.
  EXPECT_EQ(value("(-9223372036854775807 - 1) % 3"), 1);
  EXPECT_EQ(value("(-9223372036854775807 - 1) % (0 - 1)"), 0);
  EXPECT_NE(mistake(std::string(1000, '(')).find("nested"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::lab
