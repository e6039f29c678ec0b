// What cuTensorMapEncode* must refuse (CUDA Driver API, "Tensor Map Object Management"), one rule each.
#include "device/tensor_map.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpwise::device {
namespace {

struct Tiled {
  alignas(64) std::byte map[kTensorMapBytes] = {};
  uint64_t sizes[5] = {64, 32, 4, 4, 4}, strides[4] = {256, 8192, 32768, 131072};
  uint32_t box[5] = {32, 8, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  TensorRequest request{.type = 2, .rank = 2, .address = 0x1000, .sizes = sizes, .strides = strides, .element_strides = steps};

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

// Each change alone makes a good request a bad one.
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
      {"an interleave of 32 bytes with another swizzle", [](Tiled& t) { t.request.rank = 3, t.request.interleave = 2, t.request.swizzle = 2; }},
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
  EXPECT_EQ(encode_tiled(t.map + 8, t.request, t.box).failure, Failure::InvalidValue) << "a map that is not aligned to 64 bytes";
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

TEST(TensorMap, says_what_it_has_no_code_for) {
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
