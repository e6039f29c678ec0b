#include "numerics/dot.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numerics/tensor_cores.h"

namespace warpwise::numerics {
namespace {

float sum(unsigned capability, Element element, std::initializer_list<float> products, float c, Sum to = Sum::F32) {
  std::vector<float> a(products), b(products.size(), 1.0f);
  a.resize(16), b.resize(16, 1.0f);
  return dot(dot_rule(capability, TensorUnit::Mma, element), element, element, to, 16, a.data(), b.data(), c);
}

// One part in 2^n beside one: kept as long as n is not above the extra bits (arXiv 2512.07004, section 3.3).
TEST(Dot, BitsBelowTheExtraOnesAreCut) {
  for (auto [capability, kept] : {std::pair{80u, 24}, {90u, 25}, {100u, 25}}) {
    EXPECT_EQ(sum(capability, Element::BF16, {1, -1, std::ldexp(1.0f, -kept)}, 0), std::ldexp(1.0f, -kept))
        << capability;
    EXPECT_EQ(sum(capability, Element::BF16, {1, -1, std::ldexp(1.0f, -kept - 1)}, 0), 0) << capability;
  }
}

// 8.0 adds eight products at once: cancellation within the first eight does not affect the others.
TEST(Dot, AGroupIsAddedAtOnce) {
  std::initializer_list<float> late = {1, -1, 0, 0, 0, 0, 0, 0, 0x1p-40f};
  EXPECT_EQ(sum(80, Element::BF16, late, 0), 0x1p-40f);
  EXPECT_EQ(sum(90, Element::BF16, late, 0), 0);
}

TEST(Dot, AFloatIsCutAndAnF16IsRounded) {
  EXPECT_EQ(sum(90, Element::F16, {1, 0x1p-23f, 0x1p-24f}, 0), 1 + 0x1p-23f);
  EXPECT_EQ(sum(90, Element::F16, {-1, -0x1p-24f}, 0), -1);
  EXPECT_EQ(sum(90, Element::F16, {1, 0x1p-11f}, 0, Sum::F16), 1);
  EXPECT_EQ(sum(90, Element::F16, {1, 0x1p-11f, 0x1p-20f}, 0, Sum::F16), 1 + 0x1p-10f);
  EXPECT_EQ(sum(90, Element::F16, {65504, 16}, 0, Sum::F16), INFINITY);
}

TEST(Dot, SpecialNumbersFollowIeee) {
  EXPECT_EQ(sum(90, Element::BF16, {INFINITY, 1}, 1), INFINITY);
  EXPECT_EQ(sum(90, Element::BF16, {1}, -INFINITY), -INFINITY);
  EXPECT_TRUE(std::isnan(sum(90, Element::BF16, {INFINITY}, -INFINITY)));
  EXPECT_TRUE(std::isnan(sum(90, Element::BF16, {NAN}, 0)));
  float a[16] = {INFINITY}, b[16] = {0};
  EXPECT_TRUE(std::isnan(
      dot(dot_rule(90, TensorUnit::Mma, Element::BF16), Element::BF16, Element::BF16, Sum::F32, 16, a, b, 0)));
  EXPECT_EQ(result_bits(Sum::F32, -NAN), kNanF32);
  EXPECT_EQ(result_bits(Sum::F16, NAN), kNanF16);
}

// The warpgroup's sum of 8-bit floats keeps 13 bits on 9.0 and 25 on 10.0.
TEST(Dot, TheWarpgroupsNarrowAccumulator) {
  float a[32] = {1, 0x1p-6f}, b[32] = {1, 0x1p-8f};
  const DotRule narrow = dot_rule(90, TensorUnit::Wgmma, Element::E4M3);
  EXPECT_EQ(dot(narrow, Element::E4M3, Element::E4M3, Sum::F32, 32, a, b, 0), 1);
  EXPECT_EQ(dot(narrow, Element::E4M3, Element::E4M3, Sum::F32, 32, a, b, 0x1p-13f), 1 + 0x1p-13f);
  EXPECT_EQ(dot(dot_rule(100, TensorUnit::Mma, Element::E4M3), Element::E4M3, Element::E4M3, Sum::F32, 32, a, b, 0),
            1 + 0x1p-14f);
}

}  // namespace
}  // namespace warpwise::numerics
