// f16 and bf16, single and packed, against MPFR's one exact rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reference.h"
#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

using Reference = std::function<Exact(const std::vector<Exact>&)>;

uint64_t flushed(Format format, uint64_t b) {
  return (b >> format.fraction) & ((1u << format.exponent_bits()) - 1) ? b : b & 0x8000;
}
bool is_nan(Format format, uint64_t b) {
  return (b & 0x7fff) > (((1u << format.exponent_bits()) - 1) << format.fraction);
}

// .relu: negative numbers and -0 become +0. .sat: NaN too, and nothing above one stays.
uint64_t relu(Format format, uint64_t b) { return !is_nan(format, b) && b & 0x8000 ? 0 : b; }
uint64_t saturated(Format format, uint64_t b) {
  uint64_t one = uint64_t(format.bias()) << format.fraction;
  if (is_nan(format, b) || b & 0x8000) return 0;
  return std::min(b, one);
}

// The least magnitude that rounds to the smallest normal number, or above, with a significand of full length.
Exact reaches_normal(Format format) {
  Exact bound;
  mpfr_set_ui_2exp(bound.v, (4u << format.fraction) - 1, 1 - format.bias() - int(format.fraction) - 2, MPFR_RNDN);
  return bound;
}

// One form of an instruction, over samples; packed forms carry another sample in the upper half.
void check(const std::string& opcode, Format format, bool packed, unsigned operands, const Reference& reference) {
  std::string type = format.fraction == 10 ? "f16" : "bf16";
  bool ftz = opcode.find(".ftz") != std::string::npos, sat = opcode.find(".sat") != std::string::npos,
       clip = opcode.find(".relu") != std::string::npos;
  std::string text = opcode + "." + type + (packed ? "x2" : "") + " %d, %a" + (operands > 1 ? ", %b" : "") +
                     (operands > 2 ? ", %c" : "") + ";";
  std::string reg = packed ? "b32" : "b16";
  Instruction inst(text, reg, std::vector<std::string>(operands, reg));
  unsigned skip = format.fraction == 10 ? 0 : 1;
  std::vector<uint64_t> samples[3];
  for (unsigned k = 0; k < 3; ++k) {
    samples[k] = float_samples(16, 250, k + 1 + skip);
    if (skip) {  // bf16: the upper halves of interesting floats
      samples[k] = float_samples(32, 250, k + 1);
      for (uint64_t& s : samples[k]) s >>= 16;
    }
  }
  auto expected = [&](const std::vector<uint64_t>& in) {
    std::vector<Exact> exact;
    for (uint64_t word : in) exact.push_back(Exact::decode(format, ftz ? flushed(format, word) : word));
    Exact number = reference(exact);
    uint64_t result = number.encode(format, Mode::Nearest);
    // What would be subnormal if the exponent had no end is flushed, even if it rounds up to a normal number.
    if (ftz && mpfr_cmpabs(number.v, reaches_normal(format).v) < 0) result &= 0x8000;
    if (sat) result = saturated(format, result);
    return clip ? relu(format, result) : result;
  };
  for (size_t k = 0; k < (operands == 1 ? 250 : 4000); ++k) {
    std::vector<uint64_t> low{samples[0][(k * 7) % 250], samples[1][(k / 5 + k) % 250], samples[2][(k * 13) % 250]};
    std::vector<uint64_t> high{samples[0][(k * 11) % 250], samples[1][(k * 3) % 250], samples[2][(k * 17) % 250]};
    low.resize(operands), high.resize(operands);
    std::vector<uint64_t> in = low;
    if (packed) {
      for (unsigned j = 0; j < operands; ++j) in[j] |= high[j] << 16;
    }
    uint64_t want = expected(low) | (packed ? expected(high) << 16 : 0);
    ASSERT_EQ(inst.evaluate(in), want) << text
                                       << fmt::format(" of {:#x} {:#x} {:#x}, expected {:#x}", in[0],
                                                      in.size() > 1 ? in[1] : 0, in.size() > 2 ? in[2] : 0, want);
  }
}

void check_forms(const std::vector<std::string>& opcodes, Format format, unsigned operands,
                 const Reference& reference) {
  for (const std::string& opcode : opcodes) {
    check(opcode, format, false, operands, reference);
    check(opcode, format, true, operands, reference);
  }
}

const Reference kAdd = [](auto& x) { return add(x[0], x[1], Mode::Nearest); };
const Reference kSubtract = [](auto& x) { return add(x[0], multiply(x[1], Exact(-1)), Mode::Nearest); };
const Reference kMultiply = [](auto& x) { return multiply(x[0], x[1]); };
const Reference kMultiplyAdd = [](auto& x) { return multiply_add(x[0], x[1], x[2], Mode::Nearest); };

TEST(Half, Arithmetic) {
  check_forms({"add", "add.rn.ftz", "add.sat", "add.ftz.sat"}, kF16, 2, kAdd);
  check_forms({"sub", "sub.ftz", "sub.sat"}, kF16, 2, kSubtract);
  check_forms({"mul", "mul.ftz", "mul.sat"}, kF16, 2, kMultiply);
}
TEST(Half, FusedMultiplyAdd) {
  check_forms({"fma.rn", "fma.rn.ftz", "fma.rn.sat", "fma.rn.relu"}, kF16, 3, kMultiplyAdd);
}
TEST(BFloat, Arithmetic) {
  check_forms({"add"}, kBF16, 2, kAdd);
  check_forms({"sub"}, kBF16, 2, kSubtract);
  check_forms({"mul"}, kBF16, 2, kMultiply);
}
TEST(BFloat, FusedMultiplyAdd) { check_forms({"fma.rn", "fma.rn.relu"}, kBF16, 3, kMultiplyAdd); }

// f16's fma rounded twice would be wrong here: 1 + 2^-10 times 1 + 2^-10, plus a little below a tie.
TEST(Half, FusedMultiplyAddRoundsOnce) {
  Instruction fma("fma.rn.f16 %d, %a, %b, %c;", "b16", {"b16", "b16", "b16"});
  Exact a = Exact::decode(kF16, 0x7a01), b = Exact::decode(kF16, 0x0401), c = Exact::decode(kF16, 0x0001);
  EXPECT_EQ(fma(0x7a01, 0x0401, 0x0001), multiply_add(a, b, c, Mode::Nearest).encode(kF16, Mode::Nearest));
}

TEST(Half, SignsAndLimits) {
  EXPECT_EQ(Instruction("neg.f16 %d, %a;", "b16", {"b16"})(0x3c00), 0xbc00u);
  EXPECT_EQ(Instruction("neg.f16x2 %d, %a;", "b32", {"b32"})(0x3c00bc00), 0xbc003c00u);
  EXPECT_EQ(Instruction("neg.ftz.f16x2 %d, %a;", "b32", {"b32"})(0x00013c00), 0x8000bc00u);
  EXPECT_EQ(Instruction("abs.bf16x2 %d, %a;", "b32", {"b32"})(0xbf80bf80), 0x3f803f80u);
  EXPECT_EQ(Instruction("abs.ftz.f16 %d, %a;", "b16", {"b16"})(0x8001), 0u);
  Instruction min("min.f16x2 %d, %a, %b;", "b32", {"b32", "b32"});
  EXPECT_EQ(min(0x3c008000, 0x40000000), 0x3c008000u);
  EXPECT_EQ(min(0x7e00ffff, 0x3c007fff), 0x3c007fffu);
  Instruction max("max.NaN.bf16 %d, %a, %b;", "b16", {"b16", "b16"});
  EXPECT_EQ(max(0x3f80, 0x4000), 0x4000u);
  EXPECT_EQ(max(0x3f80, 0xffc1), 0x7fffu);
  EXPECT_EQ(Instruction("max.xorsign.abs.f16 %d, %a, %b;", "b16", {"b16", "b16"})(0xbc00, 0x4000), 0xc000u);
}

TEST(Half, Approximations) {
  auto number = [](Format format, uint64_t b) { return mpfr_get_d(Exact::decode(format, b).v, MPFR_RNDN); };
  Instruction tanh("tanh.approx.f16 %d, %a;", "b16", {"b16"}), ex2("ex2.approx.f16 %d, %a;", "b16", {"b16"}),
      tanh_b("tanh.approx.bf16 %d, %a;", "b16", {"b16"}), ex2_b("ex2.approx.ftz.bf16 %d, %a;", "b16", {"b16"});
  for (uint64_t x = 0x2000; x < 0x4800; ++x) {
    ASSERT_NEAR(number(kF16, tanh(x)) / std::tanh(number(kF16, x)), 1, 1.0 / 2029) << x;
    ASSERT_NEAR(number(kF16, ex2(x)) / std::exp2(number(kF16, x)), 1, 1.0 / 955) << x;
  }
  for (uint64_t x = 0x3000; x < 0x4200; ++x) {
    ASSERT_NEAR(number(kBF16, tanh_b(x)) / std::tanh(number(kBF16, x)), 1, 0x1p-8) << x;
    ASSERT_NEAR(number(kBF16, ex2_b(x)) / std::exp2(number(kBF16, x)), 1, 0x1p-7) << x;
  }
}

TEST(Half, OutOfBounds) {
  Instruction fma("fma.rn.oob.bf16x2 %d, %a, %b, %c;", "b32", {"b32", "b32", "b32"});
  EXPECT_EQ(fma(0x7ff73f80, 0x3f803f80, 0x3f803f80), 0x00004000u);
  EXPECT_EQ(fma(0x3f80fff7, 0x3f803f80, 0x3f803f80), 0x40000000u);
  EXPECT_EQ(fma(0x3f803f80, 0x7fff7ff7, 0x3f803f80), 0x7fff0000u);
}

}  // namespace
}  // namespace warpwise::simt::test
