// The tensor cores of an H200, bit by bit: h200.bin holds its answers (12 fragments of each row of
// tests/gpu/tensor/rows.inc, seed 1), made by tests/gpu/tensor/ask.
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
                              [](const numerics::Product& p, numerics::TensorUnit unit, const uint32_t* in, uint32_t* out) { numerics::multiply(90, unit, p, in, out); }),
            0u);
}

// All three kinds of vector code that this processor can run.
TEST_P(H200, AgreesWithTheFastProduct) {
  EXPECT_EQ(count_differences(row(), 1, kFragments, answer().data(),
                              [](const numerics::Product& p, numerics::TensorUnit unit, const uint32_t* in, uint32_t* out) {
                                numerics::multiply_fast(90, unit, numerics::Fidelity::Exact, p, in, out);
                              }),
            0u);
  const numerics::Product p = product_of(row());
  if (p.m != 16 || p.n != 8 || p.sparse || p.a == numerics::Element::F64 || p.a == numerics::Element::B1) return;
  __builtin_cpu_init();
  std::vector<numerics::TileFunction> functions{numerics::multiply_tile_sse2};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) functions.push_back(numerics::multiply_tile_avx2);
  for (numerics::TileFunction tile : functions)
    EXPECT_EQ(count_differences(row(), 1, kFragments, answer().data(),
                                [&](const numerics::Product& q, numerics::TensorUnit unit, const uint32_t* in, uint32_t* out) {
                                  const uint32_t *b = in + q.a_words() * 32, *c = b + q.b_words() * 32;
                                  tile({numerics::dot_rule(90, unit, q.a), q.a, q.b, q.c, q.d, in, b, c, out, q.k, q.saturate}, numerics::Precision::Exact);
                                }),
              0u);
}

TEST_P(H200, ADescriptorSurvivesPacking) { EXPECT_EQ(numerics::Product::unpack(product_of(row()).pack()), product_of(row())); }

INSTANTIATE_TEST_SUITE_P(Rows, H200, testing::Range<size_t>(0, std::size(kRows)), [](const auto& i) { return std::string(kRows[i.param].name); });

}  // namespace
}  // namespace warpwise::gpu::tensor
