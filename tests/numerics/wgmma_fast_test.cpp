// The engine's wgmma gives the bits of the plain one: every type, both layouts of a matrix, all swizzles, operands from
// registers and from shared memory, numbers of every kind.
#include "numerics/wgmma_fast.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

namespace warpwise::numerics {
namespace {

constexpr uint32_t kSharedBytes = 64 << 10, kLanes = 32;

class Random {
 public:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  bool flip() { return below(2) == 0; }
  uint32_t word() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937_64 engine_{20261121};
};

// Any bits at all, or numbers near each other, whose sums are not infinite at once.
void fill(Random& random, std::span<uint32_t> words, bool wild) {
  for (uint32_t& word : words) {
    word = random.word();
    if (!wild) word = (word & 0x83ff83ff) | 0x38003800;
    if (random.below(8) == 0) word = 0;
  }
}

// A row of 8 takes `span` bytes, eight of them a block; blocks follow each other.
uint64_t descriptor(Random& random) {
  constexpr uint32_t kSpans[] = {16, 128, 64, 32};
  const uint32_t mode = random.below(4), block = kSpans[mode] * 8;
  const uint32_t leading = block * (1 + random.below(2)), stride = block * (2 + random.below(2));
  const uint32_t address = random.below(4) * 1024 + (mode == 0 ? random.below(8) * 16 : 0);
  return uint64_t{address >> 4} | uint64_t{leading >> 4} << 16 | uint64_t{stride >> 4} << 32 | uint64_t{mode} << 62;
}

struct Types {
  Element a, b;
  WgmmaSum d;
};

class WgmmaFast : public testing::TestWithParam<Types> {};

TEST_P(WgmmaFast, GivesTheBitsOfThePlainOne) {
  Random random;
  const Types types = GetParam();
  const bool floats = is_small_float(types.a);
  std::vector<uint32_t> shared(kSharedBytes / 4);
  int executed = 0;
  for (int round = 0; round < 60; ++round) {
    WgmmaForm form;
    form.a = types.a, form.b = types.b, form.d = types.d;
    form.n = static_cast<uint16_t>(8 * (1 + random.below(32)));
    form.a_in_registers = random.flip();
    form.negate_a = floats && random.flip(), form.negate_b = floats && random.flip();
    const bool may_transpose = format_of(types.a).bits == 16;
    form.transpose_a = may_transpose && !form.a_in_registers && random.flip(),
    form.transpose_b = may_transpose && random.flip();
    form.saturate = !floats && random.flip();
    const bool wild = round % 3 == 0;
    fill(random, shared, wild);
    std::vector<uint32_t> a(4 * kLanes), plain(form.d_words() * kLanes);
    fill(random, a, wild), fill(random, plain, wild);
    std::vector<uint32_t> fast = plain;
    WgmmaOperands operands{reinterpret_cast<const std::byte*>(shared.data()),
                           kSharedBytes,
                           random.below(4),
                           descriptor(random),
                           descriptor(random),
                           random.flip(),
                           a.data(),
                           plain.data()};
    const std::string problem = multiply_warpgroup(90, form, operands);
    operands.d = fast.data();
    EXPECT_EQ(multiply_warpgroup_fast(90, Fidelity::Exact, form, operands), problem);
    if (problem.empty()) {
      ++executed;
      ASSERT_EQ(fast, plain) << "round " << round << ", n " << form.n;
    }
  }
  EXPECT_GT(executed, 30) << "most matrices must lie inside shared memory";
}

INSTANTIATE_TEST_SUITE_P(
    Types, WgmmaFast,
    testing::Values(Types{Element::F16, Element::F16, WgmmaSum::F32}, Types{Element::F16, Element::F16, WgmmaSum::F16},
                    Types{Element::BF16, Element::BF16, WgmmaSum::F32},
                    Types{Element::TF32, Element::TF32, WgmmaSum::F32},
                    Types{Element::E4M3, Element::E5M2, WgmmaSum::F32},
                    Types{Element::E5M2, Element::E4M3, WgmmaSum::F16}, Types{Element::S8, Element::U8, WgmmaSum::S32},
                    Types{Element::U8, Element::S8, WgmmaSum::S32}, Types{Element::B1, Element::B1, WgmmaSum::S32}));

}  // namespace
}  // namespace warpwise::numerics
