// Properties of the texture unit that were measured on an H200 (tests/gpu/texture_samples.cu), one by one.
#include "texture/sample.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "texture/address.h"

namespace warpwise::texture {
namespace {

using device::AddressMode;

TEST(Address, NormalizedCoordinatesAreCutTo21Bits) {
  // 3/17 and a little more: the product would be 3.000001, the truncated one is below 3.
  EXPECT_EQ(taps_point({AddressMode::Clamp, 17, true}, 0.1764706f).first, 2);
  EXPECT_EQ(taps_point({AddressMode::Clamp, 17, true}, 0.17647106f).first, 3);
}

TEST(Address, WeightsRoundToTheNearestOf256) {
  EXPECT_EQ(taps_linear({AddressMode::Clamp, 4, false}, 1.0f).weight, 128);
  EXPECT_EQ(taps_linear({AddressMode::Clamp, 4, false}, 0.5f + 2.0f / 1024).weight, 1);
  EXPECT_EQ(taps_linear({AddressMode::Clamp, 4, false}, 0.5f + 1.0f / 1024).weight, 0);
}

TEST(Address, NotANumberIsZero) {
  EXPECT_EQ(taps_point({AddressMode::Border, 4, false}, NAN).first, 0);
  EXPECT_TRUE(taps_point({AddressMode::Border, 4, false}, NAN).first_inside);
  EXPECT_FALSE(taps_point({AddressMode::Border, 4, false}, INFINITY).first_inside);
}

TEST(Address, MirrorsRunBack) {
  const int expected[] = {3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0};  // from -1 to 2
  for (int k = 0; k < 12; ++k)
    EXPECT_EQ(taps_point({AddressMode::Mirror, 4, true}, (static_cast<float>(k) - 3.5f) / 4.0f).first, expected[k])
        << k;
}

TEST(Blend, WeightsOfFourTexelsAre256InAll) {
  for (int a = 0; a < 256; a += 5)
    for (int b = 0; b < 256; b += 3) {
      auto w = bilinear_weights(a, b, 256);
      EXPECT_EQ(w[0] + w[1] + w[2] + w[3], 256);
      EXPECT_EQ(w[1] + w[3], a);
      EXPECT_EQ(w[2] + w[3], b);
    }
}

// 0.5 of 1 and 2^-23 lies between two floats: it rounds away from zero.
TEST(Blend, FloatsRoundHalvesAwayFromZero) {
  const double sum = 256.0 + 256.0 * 0x1p-24;
  EXPECT_EQ(std::bit_cast<float>(encode_blend(sum, Filtered::Single)), 1.0f + 0x1p-23f);
  EXPECT_EQ(std::bit_cast<float>(encode_blend(-sum, Filtered::Single)), -1.0f - 0x1p-23f);
}

TEST(Cube, TheTableOfFaces) {
  EXPECT_EQ(cube_place(2, 1, 1).face, 0u);
  EXPECT_EQ(cube_place(-2, 1, 1).face, 1u);
  EXPECT_EQ(cube_place(1, 2, 1).face, 2u);
  EXPECT_EQ(cube_place(1, -2, 1).face, 3u);
  EXPECT_EQ(cube_place(1, 1, 2).face, 4u);
  EXPECT_EQ(cube_place(1, 1, -2).face, 5u);
  EXPECT_EQ(cube_place(1, 0, 0.5f).s, 0.25f);
  EXPECT_EQ(cube_place(1, 0.5f, 0).t, 0.25f);
}

TEST(Texel, HalvesRoundToNearestEven) {
  EXPECT_EQ(float_to_half(1.0f), 0x3c00);
  EXPECT_EQ(float_to_half(65520.0f), 0x7c00);
  EXPECT_EQ(float_to_half(65519.0f), 0x7bff);
  EXPECT_EQ(float_to_half(2049.0f), 0x6800);
  EXPECT_EQ(float_to_half(2051.0f), 0x6802);
  EXPECT_EQ(float_to_half(0x1p-24f), 0x0001);
  EXPECT_EQ(float_to_half(0x1p-25f), 0x0000);
  for (uint32_t h = 0; h < 0x7c00; ++h) EXPECT_EQ(float_to_half(half_to_float(static_cast<uint16_t>(h))), h);
}

}  // namespace
}  // namespace warpwise::texture
