// The tensor cores of an H200, bit by bit: h200.bin holds its results (12 fragments of each row of
// tests/gpu/tensor/rows.inc, seed 1), recorded by tests/gpu/tensor/ask.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "gpu/tensor/compare.h"
#include "numerics/multiply_fast.h"
#include "numerics/product.h"
#include "numerics/tile_kernel.h"

namespace warpwise::gpu::tensor {
namespace {

constexpr unsigned kFragments = 12;

class H200 : public testing::TestWithParam<size_t> {
 protected:
  std::vector<uint32_t> answer() const {
    std::ifstream in(WARPWISE_SOURCE_DIR "/tests/numerics/h200.bin", std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    size_t at = 0;
    for (size_t r = 0; r < GetParam(); ++r) at += size(kRows[r]);
    std::vector<uint32_t> out(size(row()) / 4);
    if (at + size(row()) <= bytes.size()) std::memcpy(out.data(), bytes.data() + at, size(row()));
    return out;
  }
  static size_t size(const Row& row) { return size_t{product_of(row).d_words()} * 128 * kFragments; }
  const Row& row() const { return kRows[GetParam()]; }
};

TEST_P(H200, AgreesWithThePlainProduct) {
  EXPECT_EQ(count_differences(row(), 1, kFragments, answer().data(),
                              [](const numerics::Product& p, numerics::TensorUnit unit, const uint32_t* in,
                                 uint32_t* out) { numerics::multiply(90, unit, p, in, out); }),
            0u);
}

// All three kinds of vector code that this processor can run.
TEST_P(H200, AgreesWithTheFastProduct) {
  EXPECT_EQ(
      count_differences(row(), 1, kFragments, answer().data(),
                        [](const numerics::Product& p, numerics::TensorUnit unit, const uint32_t* in, uint32_t* out) {
                          numerics::multiply_fast(90, unit, numerics::Fidelity::Exact, p, in, out);
                        }),
      0u);
  const numerics::Product p = product_of(row());
  if (p.m != 16 || p.n != 8 || p.sparse || p.a == numerics::Element::F64 || p.a == numerics::Element::B1) return;
  __builtin_cpu_init();
  std::vector<numerics::TileFunction> functions{numerics::multiply_tile_sse2};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    functions.push_back(numerics::multiply_tile_avx2);
  for (numerics::TileFunction tile : functions)
    EXPECT_EQ(count_differences(
                  row(), 1, kFragments, answer().data(),
                  [&](const numerics::Product& q, numerics::TensorUnit unit, const uint32_t* in, uint32_t* out) {
                    const uint32_t *b = in + q.a_words() * 32, *c = b + q.b_words() * 32;
                    tile({numerics::dot_rule(90, unit, q.a), q.a, q.b, q.c, q.d, in, b, c, out, q.k, q.saturate},
                         numerics::Precision::Exact);
                  }),
              0u);
}

TEST_P(H200, ADescriptorSurvivesPacking) {
  EXPECT_EQ(numerics::Product::unpack(product_of(row()).pack()), product_of(row()));
}

// 2^-16, e5m2's smallest number, times 2^15 next to products of 2^-25: whether those are cut reveals the exponent to
// which the sum was aligned. An H200 counts 2^-16 as f16 does, with -14 (e = 1: everything below 2^-24 is cut); 2^-14 *
// 2^13 has -1.
TEST(H200Subnormals, OfE5M2AlignAsThoseOfF16) {
  using namespace numerics;
  Product product;
  product.k = 32, product.a = product.b = Element::E5M2;
  auto power = [](int exponent) { return uint32_t(exponent + 15) << 2; };
  const uint32_t tail_a = power(-13), tail_b = power(-12), smallest = 1;
  struct Case {
    uint32_t a, b;
    unsigned tails;
    uint32_t sum;  // an H200's bits
  };
  for (const Case& c : {Case{smallest, power(15), 1, 0x3f000000}, Case{smallest, power(15), 2, 0x3f000000},
                        Case{power(-14), power(13), 2, 0x3f000001}}) {
    std::vector<uint32_t> in(product.input_words() * 32), plain(product.d_words() * 32), fast(plain);
    // Row 0 and column 0 lie in lanes 0 to 3, elements k = 0 to 3 in the first word of lane 0, 4 to 7 in that of
    // lane 1.
    uint32_t *a = in.data(), *b = in.data() + product.a_words() * 32;
    a[0] = c.a | tail_a << 8, b[0] = c.b | tail_b << 8;
    if (c.tails == 2) a[1] = tail_a, b[1] = tail_b;
    multiply(90, TensorUnit::Mma, product, in.data(), plain.data());
    multiply_fast(90, TensorUnit::Mma, Fidelity::Exact, product, in.data(), fast.data());
    EXPECT_EQ(plain[0], c.sum);
    EXPECT_EQ(fast[0], c.sum);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, H200, testing::Range<size_t>(0, std::size(kRows)),
                         [](const auto& i) { return std::string(kRows[i.param].name); });

}  // namespace
}  // namespace warpwise::gpu::tensor
