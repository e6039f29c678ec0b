// Literals and their conversions.
#include "ptx/constants.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace warpwise::ptx {
namespace {

uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

TEST(Constants, integers) {
  EXPECT_EQ(parse_number("0x1F")->bits, 31u);
  EXPECT_EQ(parse_number("0b101")->bits, 5u);
  EXPECT_EQ(parse_number("017")->bits, 15u);
  EXPECT_EQ(parse_number("42U")->bits, 42u);
  EXPECT_TRUE(parse_number("42U")->is_unsigned);
  EXPECT_EQ(parse_number("18446744073709551615")->bits, ~uint64_t{0});
  for (const char* bad : {"18446744073709551616", "09", "0x", "12x", "0b2", "0xG", "1.5.2", "0f3F80", "0d3FF0", ""})
    EXPECT_FALSE(parse_number(bad)) << bad;
}

TEST(Constants, floats) {
  EXPECT_EQ(parse_number("1.5")->bits, f64(1.5));
  EXPECT_EQ(parse_number("1e-3")->bits, f64(1e-3));
  EXPECT_EQ(parse_number("0f3F800000")->bits, f64(1.0));
  EXPECT_EQ(parse_number("0f3F800000")->float_bits, 0x3F800000u);
  EXPECT_EQ(parse_number("0dC000000000000000")->bits, f64(-2.0));
}

TEST(Constants, nan_payloads_survive_widening) {
  for (uint32_t bits : {0x7FC00000u, 0x7F800001u, 0xFFFFFFFFu, 0xFF923456u})
    EXPECT_EQ(narrow_to_f32(widen_to_f64(bits)), bits);
}

// Rounding to nearest even, subnormals, overflow: against values worked out by hand.
TEST(Constants, halves) {
  EXPECT_EQ(narrow_to_f16(f64(1.0)), 0x3C00);
  EXPECT_EQ(narrow_to_f16(f64(-2.0)), 0xC000);
  EXPECT_EQ(narrow_to_f16(f64(65504)), 0x7BFF);
  EXPECT_EQ(narrow_to_f16(f64(65519.99)), 0x7BFF);
  EXPECT_EQ(narrow_to_f16(f64(65520)), 0x7C00);
  EXPECT_EQ(narrow_to_f16(f64(1 + std::ldexp(1, -11))), 0x3C00);      // half-way: to even
  EXPECT_EQ(narrow_to_f16(f64(1 + 3 * std::ldexp(1, -11))), 0x3C02);  // half-way: to even
  EXPECT_EQ(narrow_to_f16(f64(std::ldexp(1, -24))), 0x0001);
  EXPECT_EQ(narrow_to_f16(f64(std::ldexp(1, -25))), 0x0000);
  EXPECT_EQ(narrow_to_f16(f64(std::ldexp(1, -14) - std::ldexp(1, -26))), 0x0400);
  EXPECT_EQ(narrow_to_f16(f64(-INFINITY)), 0xFC00);
  EXPECT_EQ(narrow_to_bf16(f64(1.0)), 0x3F80);
  EXPECT_EQ(narrow_to_bf16(f64(3.4e38)), 0x7F80);
  EXPECT_EQ(narrow_to_bf16(f64(0.0)), 0x0000);
}

}  // namespace
}  // namespace warpwise::ptx
