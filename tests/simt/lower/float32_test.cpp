// Single precision: every rounding, .ftz and .sat, against MPFR's one exact rounding; NaN are canonical.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reference.h"
#include "scalar_jit.h"
#include "simt/lower/support/approximations.h"

namespace warpwise::simt::test {
namespace {

struct Rounding {
  const char* suffix;
  Mode mode;
};
constexpr Rounding kRoundings[] = {{".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}};

uint64_t flushed(uint64_t b) { return (b & 0x7f800000) ? b : b & 0x80000000; }
uint64_t saturated(uint64_t b) {
  float f = f32(b);
  if (std::isnan(f) || f <= 0) return 0;
  return f > 1 ? bits(1.0f) : b;
}

using Reference = std::function<Exact(const std::vector<Exact>&, Mode)>;

// Compares one opcode in all its forms over pairs and triples of samples.
void check(const std::string& opcode, unsigned operands, const Reference& reference, bool has_saturation = true) {
  std::vector<uint64_t> a = float_samples(32, 300, 1), b = float_samples(32, 300, 2), c = float_samples(32, 300, 3);
  for (Rounding rounding : kRoundings) {
    for (bool ftz : {false, true}) {
      for (bool sat : {false, true}) {
        if (sat && !has_saturation) continue;
        std::string text = opcode + rounding.suffix + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32 %d, %a";
        if (operands > 1) text += ", %b";
        if (operands > 2) text += ", %c";
        Instruction inst(text + ";", "f32", std::vector<std::string>(operands, "f32"));
        size_t count = 4000;
        for (size_t k = 0; k < count; ++k) {
          std::vector<uint64_t> in{a[(k * 7) % 300], b[(k / 5 + k) % 300], c[(k * 13) % 300]};
          if (operands == 1 && k >= a.size()) break;
          in.resize(operands);
          uint64_t got = inst.evaluate(in);
          std::vector<Exact> exact;
          for (uint64_t& word : in) exact.push_back(Exact::decode(kF32, ftz ? flushed(word) : word));
          uint64_t expected = reference(exact, rounding.mode).encode(kF32, rounding.mode);
          if (ftz) expected = flushed(expected);
          if (sat) expected = saturated(expected);
          ASSERT_EQ(got, expected) << text << " of "
                                   << fmt::format("{:#x} {:#x} {:#x}", in[0], in.size() > 1 ? in[1] : 0,
                                                  in.size() > 2 ? in[2] : 0);
        }
      }
    }
  }
}

TEST(Float32, Add) {
  check("add", 2, [](auto& x, Mode mode) { return add(x[0], x[1], mode); });
}
TEST(Float32, Subtract) {
  check("sub", 2, [](auto& x, Mode mode) { return add(x[0], multiply(x[1], Exact(-1)), mode); });
}
TEST(Float32, Multiply) {
  check("mul", 2, [](auto& x, Mode) { return multiply(x[0], x[1]); });
}
TEST(Float32, FusedMultiplyAdd) {
  check("fma", 3, [](auto& x, Mode mode) { return multiply_add(x[0], x[1], x[2], mode); });
}
TEST(Float32, Divide) {
  check("div", 2, [](auto& x, Mode) { return divide(x[0], x[1]); }, false);
}
TEST(Float32, Reciprocal) {
  check("rcp", 1, [](auto& x, Mode) { return divide(Exact(1), x[0]); }, false);
}
TEST(Float32, SquareRoot) {
  check("sqrt", 1, [](auto& x, Mode) { return root(x[0]); }, false);
}

// x + -x is +0, and -0 when rounding down; equal signs keep theirs.
TEST(Float32, SignOfZero) {
  Instruction down("add.rm.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(down(bits(1.0f), bits(-1.0f)), 0x80000000);
  EXPECT_EQ(down(0, 0), 0);
  EXPECT_EQ(down(0, 0x80000000), 0x80000000);
  Instruction fma("fma.rm.f32 %d, %a, %b, %c;", "f32", {"f32", "f32", "f32"});
  EXPECT_EQ(fma(bits(1.0f), bits(-2.0f), bits(2.0f)), 0x80000000);
}

TEST(Float32, MinAndMax) {
  uint64_t nan = 0x7fc12345, one = bits(1.0f), minus_zero = 0x80000000;
  Instruction min("min.f32 %d, %a, %b;", "f32", {"f32", "f32"}), max("max.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(min(minus_zero, 0), minus_zero);
  EXPECT_EQ(min(0, minus_zero), minus_zero);
  EXPECT_EQ(max(minus_zero, 0), 0u);
  EXPECT_EQ(max(0, minus_zero), 0u);
  EXPECT_EQ(min(nan, one), one);
  EXPECT_EQ(max(one, nan), one);
  EXPECT_EQ(min(nan, nan), 0x7fffffffu);
  EXPECT_EQ(min(bits(2.0f), one), one);
  EXPECT_EQ(max(bits(2.0f), one), bits(2.0f));
  Instruction propagating("min.NaN.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(propagating(nan, one), 0x7fffffffu);
  EXPECT_EQ(propagating(one, bits(-3.0f)), bits(-3.0f));
  Instruction xorsign("max.xorsign.abs.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(xorsign(bits(-2.0f), bits(1.0f)), bits(-2.0f));
  EXPECT_EQ(xorsign(bits(-2.0f), bits(-3.0f)), bits(3.0f));
  Instruction flush("min.ftz.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(flush(1, one), 0u);
}

TEST(Float32, NegationAndAbsoluteValueChangeTheSignAlone) {
  Instruction neg("neg.f32 %d, %a;", "f32", {"f32"}), abs("abs.f32 %d, %a;", "f32", {"f32"});
  EXPECT_EQ(neg(0u), 0x80000000u);
  EXPECT_EQ(neg(bits(1.5f)), bits(-1.5f));
  EXPECT_EQ(abs(0x80000001u), 1u);
  Instruction flush("abs.ftz.f32 %d, %a;", "f32", {"f32"});
  EXPECT_EQ(flush(0x80000001u), 0u);
}

// The IR of an approximation computes the bits that the template computes over float.
TEST(Float32, ApproximationsHaveTheInterpretersBits) {
  struct Case {
    const char* opcode;
    float (*reference)(float);
  };
  const Case kCases[] = {
      {"rcp.approx.f32", approx::rcp<float>},     {"sqrt.approx.f32", [](float x) { return approx::sqrt(x); }},
      {"rsqrt.approx.f32", approx::rsqrt<float>}, {"sin.approx.f32", approx::sin<float>},
      {"cos.approx.f32", approx::cos<float>},     {"lg2.approx.f32", approx::lg2<float>},
      {"ex2.approx.f32", approx::ex2<float>},     {"tanh.approx.f32", approx::tanh<float>},
  };
  for (const Case& test : kCases) {
    Instruction inst(fmt::format("{} %d, %a;", test.opcode), "f32", {"f32"});
    for (uint64_t x : float_samples(32, 3000)) {
      ASSERT_TRUE(agrees(inst(x), bits(test.reference(f32(x))), 32)) << test.opcode << " of " << f32(x);
    }
  }
  Instruction div("div.approx.f32 %d, %a, %b;", "f32", {"f32", "f32"}),
      full("div.full.ftz.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(div(bits(6.0f), bits(3.0f)), bits(2.0f));
  EXPECT_EQ(full(bits(6.0f), bits(3.0f)), bits(2.0f));
  EXPECT_EQ(full(1u, bits(1.0f)), 0u);
}

// Results that are NaN are 0x7fffffff wherever their bits are seen; numbers that are only moved keep theirs.
TEST(Float32, CanonicalNaN) {
  uint64_t payload = 0xffc12345;
  EXPECT_EQ(Instruction("mov.f32 %d, %a;", "f32", {"f32"})(payload), payload);
  EXPECT_EQ(Instruction("mov.b32 %d, %a;", "b32", {"f32"})(payload), payload);
  EXPECT_EQ(Instruction("neg.f32 %d, %a;", "f32", {"f32"})(payload), 0x7fffffffu);
  EXPECT_EQ(Instruction("add.f32 %d, %a, %a;", "f32", {"f32"})(payload), 0x7fffffffu);
  EXPECT_EQ(Instruction("add.f32 %t, %a, %a;\n mov.b32 %d, %t;", "b32", {"f32"}, ".reg .f32 %t;")(payload),
            0x7fffffffu);
  EXPECT_EQ(Instruction("sub.f32 %t, %a, %a;\n mov.b32 %d, %t;", "b32", {"f32"}, ".reg .f32 %t;")(0x7f800000),
            0x7fffffffu);
  // A choice between a moved and a computed NaN.
  Instruction choice("add.f32 %t, %a, %a;\n selp.f32 %d, %t, %a, %b;", "f32", {"f32", "pred"}, ".reg .f32 %t;");
  EXPECT_EQ(choice(payload, 0), payload);
  EXPECT_EQ(choice(payload, 1), 0x7fffffffu);
}

TEST(Float32, TestpAndCopysign) {
  struct Class {
    const char* name;
    bool (*is)(float);
  };
  const Class kClasses[] = {{"finite", [](float f) { return std::isfinite(f); }},
                            {"infinite", [](float f) { return std::isinf(f); }},
                            {"number", [](float f) { return !std::isnan(f); }},
                            {"notanumber", [](float f) { return std::isnan(f); }},
                            {"normal", [](float f) { return std::isnormal(f) || f == 0; }},
                            {"subnormal", [](float f) { return std::fpclassify(f) == FP_SUBNORMAL; }}};
  for (const Class& test : kClasses) {
    Instruction inst(fmt::format("testp.{}.f32 %d, %a;", test.name), "pred", {"f32"});
    for (uint64_t x : float_samples(32, 200)) ASSERT_EQ(inst(x), uint64_t{test.is(f32(x))}) << test.name << f32(x);
  }
  Instruction copysign("copysign.f32 %d, %a, %b;", "f32", {"f32", "f32"});
  EXPECT_EQ(copysign(bits(-1.0f), bits(5.0f)), bits(-5.0f));
}

}  // namespace
}  // namespace warpwise::simt::test
