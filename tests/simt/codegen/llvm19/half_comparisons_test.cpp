// Comparisons of vectors of halves (simt/codegen/llvm19/half_comparisons.cpp) become comparisons of integers or floats,
// and hold for the same values.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

class HalfComparisons : public testing::TestWithParam<uint32_t> {};

// How many of eight halves, each of them the lower half of the word at %in or 1.0 by turns, compare as `predicate` says
// with the upper half.
std::string comparison(const std::string& predicate) {
  return "define void @f(ptr %in, ptr %out) {\n  %upper = getelementptr i8, ptr %in, i64 2\n"
         "  %x = load half, ptr %in\n  %y = load half, ptr %upper\n"
         "  %one = insertelement <8 x half> splat (half 1.0), half %x, i32 0\n"
         "  %xs = shufflevector <8 x half> %one, <8 x half> poison, <8 x i32> <i32 0, i32 1, i32 0, i32 1, i32 0, i32 "
         "1, "
         "i32 0, i32 1>\n"
         "  %other = insertelement <8 x half> poison, half %y, i32 0\n"
         "  %ys = shufflevector <8 x half> %other, <8 x half> poison, <8 x i32> zeroinitializer\n"
         "  %holds = fcmp " +
         predicate +
         " <8 x half> %xs, %ys\n  %bits = zext <8 x i1> %holds to <8 x i32>\n"
         "  %sum = call i32 @llvm.vector.reduce.add(<8 x i32> %bits)\n  store i32 %sum, ptr %out\n  ret void\n}\n"
         "declare i32 @llvm.vector.reduce.add(<8 x i32>)\n";
}

float half_to_float(uint32_t bits) {
  const uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  const float magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                          : exponent == 0 ? std::ldexp(float(fraction), -24)
                                          : std::ldexp(float(fraction + 0x400), int(exponent) - 25);
  return bits >> 15 & 1 ? -magnitude : magnitude;
}

TEST_P(HalfComparisons, AreNotOfHalves) {
  for (const char* predicate : {"uno", "ord", "olt", "une"})
    EXPECT_EQ(SelectedCode(comparison(predicate)).half_operations(), 0u) << predicate;
  // A processor that compares halves keeps them.
  EXPECT_EQ(SelectedCode(comparison("olt"), "sapphirerapids").half_operations(), 1u);
}

TEST_P(HalfComparisons, HoldWhereTheyShould) {
  const float x = half_to_float(GetParam() & 0xffff), y = half_to_float(GetParam() >> 16);
  const auto four = [](bool a, bool b) { return 4u * a + 4u * b; };
  const auto run = [](const char* predicate) { return SelectedCode(comparison(predicate)).run(GetParam()); };
  EXPECT_EQ(run("uno"), four(x != x || y != y, y != y));
  EXPECT_EQ(run("ord"), four(x == x && y == y, y == y));
  EXPECT_EQ(run("olt"), four(x < y, 1.0f < y));
  EXPECT_EQ(run("une"), four(!(x == y), !(1.0f == y)));
}

INSTANTIATE_TEST_SUITE_P(Words, HalfComparisons, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
