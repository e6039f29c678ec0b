// Double precision, against MPFR.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reference.h"
#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

using Reference = std::function<Exact(const std::vector<Exact>&, Mode)>;

void check(const std::string& opcode, unsigned operands, const Reference& reference) {
  std::vector<uint64_t> a = float_samples(64, 250, 1), b = float_samples(64, 250, 2), c = float_samples(64, 250, 3);
  for (auto [suffix, mode] :
       {std::pair{".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}}) {
    std::string text =
        opcode + suffix + ".f64 %d, %a" + (operands > 1 ? ", %b" : "") + (operands > 2 ? ", %c" : "") + ";";
    Instruction inst(text, "f64", std::vector<std::string>(operands, "f64"));
    for (size_t k = 0; k < (operands == 1 ? 250 : 1500); ++k) {
      std::vector<uint64_t> in{a[(k * 7) % 250], b[(k / 5 + k) % 250], c[(k * 13) % 250]};
      in.resize(operands);
      uint64_t got = inst.evaluate(in);
      std::vector<Exact> exact;
      for (uint64_t word : in) exact.push_back(Exact::decode(kF64, word));
      uint64_t expected = reference(exact, mode).encode(kF64, mode);
      ASSERT_TRUE(agrees(got, expected, 64))
          << text << fmt::format(" {:#x} {:#x}: {:#x} expected {:#x}", in[0], in.size() > 1 ? in[1] : 0, got, expected);
    }
  }
}

TEST(Float64, Add) {
  check("add", 2, [](auto& x, Mode mode) { return add(x[0], x[1], mode); });
}
TEST(Float64, Multiply) {
  check("mul", 2, [](auto& x, Mode) { return multiply(x[0], x[1]); });
}
TEST(Float64, FusedMultiplyAdd) {
  check("fma", 3, [](auto& x, Mode mode) { return multiply_add(x[0], x[1], x[2], mode); });
}
TEST(Float64, Divide) {
  check("div", 2, [](auto& x, Mode) { return divide(x[0], x[1]); });
}
TEST(Float64, Reciprocal) {
  check("rcp", 1, [](auto& x, Mode) { return divide(Exact(1), x[0]); });
}
TEST(Float64, SquareRoot) {
  check("sqrt", 1, [](auto& x, Mode) { return root(x[0]); });
}

TEST(Float64, Approximations) {
  Instruction rcp("rcp.approx.ftz.f64 %d, %a;", "f64", {"f64"}), rsqrt("rsqrt.approx.f64 %d, %a;", "f64", {"f64"});
  EXPECT_EQ(rcp(bits(4.0)), bits(0.25));
  EXPECT_EQ(rcp(bits(3.0)) & 0xffffffff, 0u);
  EXPECT_NEAR(f64(rcp(bits(3.0))), 1.0 / 3, 0x1p-20);
  EXPECT_EQ(rcp(1u), 0x7ff0000000000000u);  // a subnormal counts as 0
  EXPECT_EQ(rsqrt(bits(4.0)), bits(0.5));
  EXPECT_EQ(rsqrt(bits(-0.0)), bits(-double(INFINITY)));
}

TEST(Float64, MinMaxSign) {
  Instruction min("min.f64 %d, %a, %b;", "f64", {"f64", "f64"}), max("max.f64 %d, %a, %b;", "f64", {"f64", "f64"});
  EXPECT_EQ(min(bits(0.0), bits(-0.0)), bits(-0.0));
  EXPECT_EQ(max(bits(-0.0), bits(0.0)), bits(0.0));
  EXPECT_EQ(min(bits(double(NAN)), bits(2.0)), bits(2.0));
  EXPECT_EQ(Instruction("neg.f64 %d, %a;", "f64", {"f64"})(bits(2.0)), bits(-2.0));
  EXPECT_EQ(Instruction("abs.f64 %d, %a;", "f64", {"f64"})(bits(-2.0)), bits(2.0));
  EXPECT_EQ(Instruction("sub.f64 %d, %a, %b;", "f64", {"f64", "f64"})(bits(2.0), bits(0.5)), bits(1.5));
}

}  // namespace
}  // namespace warpwise::simt::test
