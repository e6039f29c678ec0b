// Vectorised products of doubles give the bits of the plain chain of fused multiply-adds, in every shape, with AVX-512
// and with AVX2; a NaN anywhere is left to the plain product.
#include "numerics/double_tile.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "numerics/multiply_fast.h"

namespace warpwise::numerics {
namespace {

std::vector<DoubleTileFunction> functions() {
  __builtin_cpu_init();
  std::vector<DoubleTileFunction> all;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all.push_back(multiply_doubles_avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    all.push_back(multiply_doubles_avx512);
  return all;
}

struct Shape {
  uint8_t m;
  uint16_t k;
};

class DoubleTiles : public testing::TestWithParam<Shape> {
 protected:
  DoubleTiles() {
    product_.m = GetParam().m, product_.k = GetParam().k;
    product_.a = product_.b = Element::F64, product_.c = product_.d = Accumulator::F64;
    in_.resize(product_.input_words() * 32);
    plain_.resize(product_.d_words() * 32);
  }
  // Double `n` of the inputs, counted in register pairs and lanes.
  void set(size_t n, double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    const size_t low = n / 32 * 64 + n % 32;
    in_[low] = static_cast<uint32_t>(bits), in_[low + 32] = static_cast<uint32_t>(bits >> 32);
  }
  // Numbers whose sums need every bit: of like size, and some that cancel or vanish.
  void randomize(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    for (size_t n = 0; n < in_.size() / 2; ++n)
      set(n, random() % 16 == 0 ? 0.0 : std::ldexp(number(random), static_cast<int>(random() % 80) - 40));
  }

  Product product_;
  std::vector<uint32_t> in_, plain_;
};

TEST_P(DoubleTiles, GiveTheBitsOfThePlainProduct) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    randomize(seed);
    multiply(90, TensorUnit::Mma, product_, in_.data(), plain_.data());
    const uint32_t *b = in_.data() + product_.a_words() * 32, *c = b + product_.b_words() * 32;
    for (DoubleTileFunction function : functions()) {
      std::vector<uint32_t> fast(plain_.size());
      ASSERT_TRUE(function({in_.data(), b, c, fast.data(), product_.m, product_.k}));
      ASSERT_EQ(fast, plain_) << "seed " << seed;
    }
  }
}

TEST_P(DoubleTiles, LeaveNaNsToThePlainProduct) {
  randomize(1);
  set(5, std::numeric_limits<double>::infinity());
  for (size_t n = 0; n < product_.b_words() / 2 * 32; ++n) set(product_.a_words() / 2 * 32 + n, 0.0);  // infinity * 0
  multiply(90, TensorUnit::Mma, product_, in_.data(), plain_.data());
  const uint32_t *b = in_.data() + product_.a_words() * 32, *c = b + product_.b_words() * 32;
  std::vector<uint32_t> fast(plain_.size());
  for (DoubleTileFunction function : functions())
    EXPECT_FALSE(function({in_.data(), b, c, fast.data(), product_.m, product_.k}));
  multiply_fast(90, TensorUnit::Mma, Fidelity::Exact, product_, in_.data(), fast.data());
  EXPECT_EQ(fast, plain_);
}

INSTANTIATE_TEST_SUITE_P(Shapes, DoubleTiles, testing::Values(Shape{8, 4}, Shape{16, 4}, Shape{16, 8}, Shape{16, 16}));

}  // namespace
}  // namespace warpwise::numerics
