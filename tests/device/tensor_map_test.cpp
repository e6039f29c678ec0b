// The errors of cuTensorMapEncode* (CUDA Driver API, "Tensor Map Object Management"), one rule each.
#include "device/tensor_map.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpwise::device {
namespace {

struct Tiled {
  alignas(64) std::byte map[kTensorMapBytes] = {};
  uint64_t sizes[5] = {64, 32, 4, 4, 4}, strides[4] = {256, 8192, 32768, 131072};
  uint32_t box[5] = {32, 8, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  TensorRequest request{
      .type = 2, .rank = 2, .address = 0x1000, .sizes = sizes, .strides = strides, .element_strides = steps};

  Failure encode() { return encode_tiled(map, request, box).failure; }
};

TEST(TensorMap, keeps_what_it_is_given) {
  Tiled t;
  t.request.swizzle = 3;
  t.steps[1] = 2;
  ASSERT_EQ(t.encode(), Failure::None);
  TensorMap map;
  std::memcpy(&map, t.map, sizeof map);
  EXPECT_EQ(map.problem(), "");
  EXPECT_EQ(map.type, TensorType::U32);
  EXPECT_EQ(map.rank, 2);
  EXPECT_EQ(map.address, 0x1000u);
  EXPECT_EQ(map.size(0), 64u);
  EXPECT_EQ(map.size(1), 32u);
  EXPECT_EQ(map.strides[0], 256u);
  EXPECT_EQ(map.box[0], 32);
  EXPECT_EQ(map.element_strides[1], 2);
  EXPECT_EQ(map.swizzle, TensorSwizzle::Bytes128);
  EXPECT_EQ(map.atom, SwizzleAtom::Bytes16);
}

TEST(TensorMap, swizzles_after_the_widest_are_its_atomicities) {
  constexpr SwizzleAtom kAtoms[] = {SwizzleAtom::Bytes32, SwizzleAtom::Bytes32Flip8, SwizzleAtom::Bytes64};
  Tiled t;
  for (int k = 0; k < 3; ++k) {
    t.request.swizzle = 4 + k;
    ASSERT_EQ(t.encode(), Failure::None);
    EXPECT_TRUE(wants_sm_100(t.request));
    TensorMap map;
    std::memcpy(&map, t.map, sizeof map);
    EXPECT_EQ(map.swizzle, TensorSwizzle::Bytes128);
    EXPECT_EQ(map.atom, kAtoms[k]);
    EXPECT_EQ(map.problem(), "");
  }
  t.request.swizzle = 3;
  EXPECT_FALSE(wants_sm_100(t.request));
}

TEST(TensorMap, zeros_are_none) {
  TensorMap map;
  std::memset(static_cast<void*>(&map), 0, sizeof map);
  EXPECT_NE(map.problem(), "");
}

TEST(TensorMap, takes_the_largest_size) {
  Tiled t;
  t.sizes[1] = uint64_t{1} << 32;
  EXPECT_EQ(t.encode(), Failure::None);
  ++t.sizes[1];
  EXPECT_EQ(t.encode(), Failure::InvalidValue);
}

// Each change alone makes a valid request invalid.
TEST(TensorMap, refuses) {
  struct Rule {
    const char* what;
    void (*spoil)(Tiled&);
  };
  constexpr Rule kRules[] = {
      {"a type that does not exist", [](Tiled& t) { t.request.type = 16; }},
      {"rank 0", [](Tiled& t) { t.request.rank = 0; }},
      {"rank 6", [](Tiled& t) { t.request.rank = 6; }},
      {"an address that is not aligned to 16 bytes", [](Tiled& t) { t.request.address = 0x1008; }},
      {"a size of 0", [](Tiled& t) { t.sizes[1] = 0; }},
      {"a stride that is no multiple of 16", [](Tiled& t) { t.strides[0] = 264; }},
      {"a stride of 2^40", [](Tiled& t) { t.strides[0] = uint64_t{1} << 40; }},
      {"no strides", [](Tiled& t) { t.request.strides = nullptr; }},
      {"a box of 0", [](Tiled& t) { t.box[1] = 0; }},
      {"a box of 257", [](Tiled& t) { t.box[1] = 257; }},
      {"a box whose rows are no multiple of 16 bytes", [](Tiled& t) { t.box[0] = 3; }},
      {"a box wider than its swizzle", [](Tiled& t) { t.request.swizzle = 2; }},
      {"an element stride of 0", [](Tiled& t) { t.steps[1] = 0; }},
      {"an element stride of 9", [](Tiled& t) { t.steps[1] = 9; }},
      {"an interleave that does not exist", [](Tiled& t) { t.request.interleave = 3; }},
      {"an interleave with rank 2", [](Tiled& t) { t.request.interleave = 1; }},
      {"an interleave of 32 bytes with another swizzle",
       [](Tiled& t) { t.request.rank = 3, t.request.interleave = 2, t.request.swizzle = 2; }},
      {"a swizzle that does not exist", [](Tiled& t) { t.request.swizzle = 7; }},
      {"an L2 promotion that does not exist", [](Tiled& t) { t.request.promotion = 4; }},
      {"NaN for integers", [](Tiled& t) { t.request.fill = 1; }},
  };
  for (const Rule& rule : kRules) {
    Tiled t;
    ASSERT_EQ(t.encode(), Failure::None);
    rule.spoil(t);
    EXPECT_EQ(t.encode(), Failure::InvalidValue) << rule.what;
  }
  Tiled t;
  EXPECT_EQ(encode_tiled(t.map + 8, t.request, t.box).failure, Failure::InvalidValue)
      << "a map that is not aligned to 64 bytes";
}

TEST(TensorMap, im2col_has_limits_by_rank) {
  Tiled t;
  int lower[3] = {-1, -1, -1}, upper[3] = {-1, -1, -1};
  t.request.rank = 4;
  EXPECT_EQ(encode_im2col(t.map, t.request, lower, upper, 32, 64).failure, Failure::None);
  EXPECT_EQ(encode_im2col(t.map, t.request, lower, upper, 257, 64).failure, Failure::InvalidValue);
  EXPECT_EQ(encode_im2col(t.map, t.request, lower, upper, 32, 1025).failure, Failure::InvalidValue);
  lower[0] = -129;
  EXPECT_EQ(encode_im2col(t.map, t.request, lower, upper, 32, 64).failure, Failure::InvalidValue);
  lower[0] = -1;
  t.request.rank = 2;
  EXPECT_EQ(encode_im2col(t.map, t.request, lower, upper, 32, 64).failure, Failure::InvalidValue);
}

TEST(TensorMap, wide_im2col_refuses) {
  struct Wide : Tiled {
    int lower = -1, upper = 0, mode = 0;
    uint32_t channels = 32, pixels = 64;
    Wide() { request.rank = 4, request.swizzle = 3; }
    Failure encode() { return encode_im2col_wide(map, request, lower, upper, channels, pixels, mode).failure; }
  };
  struct Rule {
    const char* what;
    void (*spoil)(Wide&);
  };
  constexpr Rule kRules[] = {
      {"rank 2", [](Wide& w) { w.request.rank = 2; }},
      {"a mode that does not exist", [](Wide& w) { w.mode = 2; }},
      {"no swizzle", [](Wide& w) { w.request.swizzle = 0; }},
      {"a swizzle of 32 bytes", [](Wide& w) { w.request.swizzle = 1, w.channels = 8; }},
      {"a swizzle that flips", [](Wide& w) { w.request.swizzle = 5; }},
      {"a swizzle that keeps 64 bytes together", [](Wide& w) { w.request.swizzle = 6; }},
      {"an interleave", [](Wide& w) { w.request.interleave = 1; }},
      {"no channels", [](Wide& w) { w.channels = 0; }},
      {"257 channels", [](Wide& w) { w.channels = 257; }},
      {"more channels than the swizzle spans", [](Wide& w) { w.channels = 36; }},
      {"1025 pixels", [](Wide& w) { w.pixels = 1025; }},
      {"a corner below -2^15", [](Wide& w) { w.lower = -32769; }},
      {"an empty box", [](Wide& w) { w.upper = -33; }},
      {"an element stride of 9", [](Wide& w) { w.steps[1] = 9; }},
  };
  for (const Rule& rule : kRules) {
    Wide w;
    ASSERT_EQ(w.encode(), Failure::None);
    rule.spoil(w);
    EXPECT_EQ(w.encode(), Failure::InvalidValue) << rule.what;
  }
  Wide ignored;
  ignored.mode = 1, ignored.pixels = 5000;
  EXPECT_EQ(ignored.encode(), Failure::None) << "a number of pixels that is not used";
  TensorMap map;
  std::memcpy(&map, ignored.map, sizeof map);
  EXPECT_EQ(map.mode, TensorMode::Im2colW128);
  EXPECT_EQ(map.pixels, 128);
}

TEST(TensorMap, names_what_is_not_supported) {
  Tiled t;
  t.request.rank = 3;
  t.request.interleave = 1;
  EXPECT_EQ(t.encode(), Failure::NotSupported);
}

TEST(TensorMap, has_its_address_replaced) {
  Tiled t;
  EXPECT_EQ(replace_address(t.map, 0x2000).failure, Failure::InvalidValue) << "no map yet";
  ASSERT_EQ(t.encode(), Failure::None);
  EXPECT_EQ(replace_address(t.map, 0x2004).failure, Failure::InvalidValue);
  ASSERT_EQ(replace_address(t.map, 0x2000).failure, Failure::None);
  TensorMap map;
  std::memcpy(&map, t.map, sizeof map);
  EXPECT_EQ(map.address, 0x2000u);
}

}  // namespace
}  // namespace warpwise::device
