// 64-bit numbers made of upper halves alone (simt/codegen/llvm19/upper_halves.cpp).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "../selected_code.h"

namespace warpwise::simt::test {
namespace {

class UpperHalves : public testing::TestWithParam<uint32_t> {};

// The upper halves of four 64-bit numbers: LLVM 19 cannot select them as they are for Zen 4 and Zen 5.
TEST_P(UpperHalves, UpperHalvesOfFewLanes) {
  SelectedCode code(
      "define void @f(ptr %in, ptr %out) {\n  %word = load i32, ptr %in\n  %one = insertelement <32 x i32> poison, i32 "
      "%word, i32 0\n"
      "  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer\n  %x = bitcast <32 x "
      "i32> %all to <32 x float>\n"
      "  %f = fadd <32 x float> %x, splat (float 1.0)\n  %bits = bitcast <32 x float> %f to <32 x i32>\n"
      "  %wide = zext <32 x i32> %bits to <32 x i64>\n  %high = shl <32 x i64> %wide, splat (i64 32)\n"
      "  %some = shufflevector <32 x i64> %high, <32 x i64> splat (i64 7), <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 "
      "36, i32 37, i32 38, i32 39>\n"
      "  %kept = alloca <8 x i64>\n  store volatile <8 x i64> %some, ptr %kept\n  %at = getelementptr i8, ptr %kept, "
      "i64 20\n"
      "  %r = load volatile i32, ptr %at\n  store i32 %r, ptr %out\n  ret void\n}\n");
  float x;
  const uint32_t in = GetParam();
  std::memcpy(&x, &in, sizeof x);
  x += 1.0f;
  uint32_t expected;
  std::memcpy(&expected, &x, sizeof x);
  if (x == x) {  // the bits of a NaN are up to the host
    EXPECT_EQ(code.run(in), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Words, UpperHalves, testing::Values(0u, ~0u, 0x8000'0001u, 0x5a5a'a5a5u, 0xffff'0000u));

}  // namespace
}  // namespace warpwise::simt::test
