// cvt in all directions: rounding against MPFR, integers against 128-bit arithmetic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reference.h"
#include "scalar_jit.h"

namespace warpwise::simt::test {
namespace {

__extension__ using Int128 = __int128;

struct Rounding {
  const char* suffix;
  Mode mode;
};
constexpr Rounding kRoundings[] = {{".rn", Mode::Nearest}, {".rz", Mode::Zero}, {".rm", Mode::Down}, {".rp", Mode::Up}};
constexpr Rounding kIntegerRoundings[] = {
    {".rni", Mode::Nearest}, {".rzi", Mode::Zero}, {".rmi", Mode::Down}, {".rpi", Mode::Up}};
const char* const kIntegers[] = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"};

unsigned width_of(const std::string& type) { return std::stoi(type.substr(type.find_first_of("0123456789"))); }
bool is_signed(const std::string& type) { return type[0] == 's'; }
Format format_of(const std::string& type) {
  return type == "f16" ? kF16 : type == "bf16" ? kBF16 : type == "f32" ? kF32 : kF64;
}
// A register for a type: there are none of 8 bits.
std::string reg(const std::string& type) { return "b" + std::to_string(std::max(16u, width_of(type))); }
uint64_t mask(unsigned width) { return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
Int128 value(uint64_t bits, const std::string& type) {
  unsigned w = width_of(type);
  bits &= mask(w);
  return is_signed(type) && bits >> (w - 1) ? Int128(bits) - (Int128(1) << w) : Int128(bits);
}
Int128 lowest(const std::string& type) { return is_signed(type) ? -(Int128(1) << (width_of(type) - 1)) : 0; }
Int128 highest(const std::string& type) { return (Int128(1) << (width_of(type) - is_signed(type))) - 1; }

std::vector<uint64_t> samples(const std::string& type, size_t count) {
  if (type == "bf16") {
    std::vector<uint64_t> upper = float_samples(32, count);
    for (uint64_t& s : upper) s >>= 16;
    return upper;
  }
  return float_samples(width_of(type), count);
}

TEST(Convert, IntegersToIntegers) {
  for (std::string to : kIntegers) {
    for (std::string from : kIntegers) {
      for (bool sat : {false, true}) {
        Instruction cvt(fmt::format("cvt{}.{}.{} %d, %a;", sat ? ".sat" : "", to, from), "b64", {"b64"});
        for (uint64_t x : integer_samples(64, 60)) {
          Int128 v = value(x, from);
          if (sat) v = std::clamp(v, lowest(to), highest(to));
          // A 64-bit register takes the result extended as the destination's type is signed.
          uint64_t expected = uint64_t(value(uint64_t(v), to));
          ASSERT_EQ(cvt(x), expected) << fmt::format("cvt{}.{}.{} of {:#x}", sat ? ".sat" : "", to, from, x);
        }
      }
    }
  }
}

// What the manual's notes on NaN say: 0, or the lowest signed number when 64 bits are involved.
uint64_t of_nan(const std::string& from, const std::string& to) {
  unsigned w = width_of(to);
  return from == "f64" || w == 64 ? uint64_t{1} << (w - 1) : 0;
}

TEST(Convert, FloatsToIntegers) {
  for (std::string from : {"f16", "bf16", "f32", "f64"}) {
    for (std::string to : kIntegers) {
      if (from == "bf16" && width_of(to) == 8) continue;  // no such form
      for (Rounding rounding : kIntegerRoundings) {
        std::string text = fmt::format("cvt{}.{}.{} %d, %a;", rounding.suffix, to, from);
        Instruction cvt(text, reg(to), {reg(from)});
        for (uint64_t x : samples(from, 200)) {
          Exact exact = Exact::decode(format_of(from), x);
          uint64_t expected;
          if (mpfr_nan_p(exact.v)) {
            expected = of_nan(from, to);
          } else {
            mpfr_rnd_t mode = rounding.mode == Mode::Zero   ? MPFR_RNDZ
                              : rounding.mode == Mode::Down ? MPFR_RNDD
                              : rounding.mode == Mode::Up   ? MPFR_RNDU
                                                            : MPFR_RNDN;
            mpfr_rint(exact.v, exact.v, mode);
            Int128 v;
            if (mpfr_cmp_d(exact.v, 0x1p64) >= 0) {
              v = highest(to);
            } else if (mpfr_cmp_d(exact.v, -0x1p63) < 0) {
              v = lowest(to);
            } else {
              v = mpfr_sgn(exact.v) < 0 ? Int128(mpfr_get_sj(exact.v, MPFR_RNDZ))
                                        : Int128(mpfr_get_uj(exact.v, MPFR_RNDZ));
            }
            expected = uint64_t(std::clamp(v, lowest(to), highest(to)));
          }
          unsigned w = width_of(to);
          ASSERT_EQ(cvt(x) & mask(w), expected & mask(w)) << text << fmt::format(" of {:#x}", x);
        }
      }
    }
  }
}

TEST(Convert, IntegersToFloats) {
  for (std::string to : {"f16", "bf16", "f32", "f64"}) {
    for (std::string from : kIntegers) {
      if (to == "bf16" && width_of(from) == 8) continue;
      for (Rounding rounding : kRoundings) {
        std::string text = fmt::format("cvt{}.{}.{} %d, %a;", rounding.suffix, to, from);
        Instruction cvt(text, reg(to), {reg(from)});
        for (uint64_t x : integer_samples(width_of(from), 150)) {
          Exact exact;
          Int128 v = value(x, from);
          if (v < 0) {
            mpfr_set_sj(exact.v, int64_t(v), MPFR_RNDN);
          } else {
            mpfr_set_uj(exact.v, uint64_t(v), MPFR_RNDN);
          }
          ASSERT_EQ(cvt(x), exact.encode(format_of(to), rounding.mode)) << text << fmt::format(" of {:#x}", x);
        }
      }
    }
  }
}

// A NaN of f64 in a smaller format: quiet, with its sign and what fits of its payload.
uint64_t narrowed_nan(Format to, uint64_t nan) {
  uint64_t quiet = nan | uint64_t{1} << 51;
  return (quiet >> 63) << (to.bits - 1) |
         ((quiet & ~(uint64_t{1} << 63)) >> (52 - to.fraction) & ((uint64_t{1} << (to.bits - 1)) - 1));
}

TEST(Convert, FloatsToFloats) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (auto [to, from] : {std::pair{"f32", "f64"},
                          {"f16", "f32"},
                          {"f16", "f64"},
                          {"bf16", "f32"},
                          {"bf16", "f64"},
                          {"f16", "bf16"},
                          {"bf16", "f16"}}) {
    for (Rounding rounding : kRoundings) {
      std::string text = fmt::format("cvt{}.{}.{} %d, %a;", rounding.suffix, to, from);
      Instruction cvt(text, reg(to), {reg(from)});
      for (uint64_t x : samples(from, 2000)) {
        Exact exact = Exact::decode(format_of(from), x);
        uint64_t expected = exact.encode(format_of(to), rounding.mode);
        if (from == std::string("f64") && mpfr_nan_p(exact.v)) expected = narrowed_nan(format_of(to), x);
        ASSERT_EQ(cvt(x), expected) << text << fmt::format(" of {:#x}", x);
      }
    }
  }
  for (auto [to, from] : {std::pair{"f64", "f32"}, {"f64", "f16"}, {"f32", "f16"}, {"f32", "bf16"}, {"f64", "bf16"}}) {
    std::string text = fmt::format("cvt.{}.{} %d, %a;", to, from);
    Instruction cvt(text, reg(to), {reg(from)});
    for (uint64_t x : samples(from, 1000)) {
      uint64_t expected = Exact::decode(format_of(from), x).encode(format_of(to), Mode::Nearest);
      uint64_t got = cvt(x);
      // A bfloat16 becomes a float by moving its bits, a NaN's too.
      if (from == std::string("bf16") && to == std::string("f32") && std::isnan(f32(expected))) expected = x << 16;
      ASSERT_TRUE(got == expected || agrees(got, expected, width_of(to))) << text << fmt::format(" of {:#x}", x);
    }
  }
}

TEST(Convert, ToIntegralFloats) {
  for (std::string type : {"f16", "bf16", "f32", "f64"}) {
    for (Rounding rounding : kIntegerRoundings) {
      std::string text = fmt::format("cvt{}.{}.{} %d, %a;", rounding.suffix, type, type);
      Instruction cvt(text, reg(type), {reg(type)});
      for (uint64_t x : samples(type, 300)) {
        Exact exact = Exact::decode(format_of(type), x);
        mpfr_rnd_t mode = rounding.mode == Mode::Zero   ? MPFR_RNDZ
                          : rounding.mode == Mode::Down ? MPFR_RNDD
                          : rounding.mode == Mode::Up   ? MPFR_RNDU
                                                        : MPFR_RNDN;
        mpfr_rint(exact.v, exact.v, mode);
        ASSERT_TRUE(agrees(cvt(x), exact.encode(format_of(type), Mode::Nearest), width_of(type)))
            << text << fmt::format(" of {:#x}", x);
      }
    }
  }
}

TEST(Convert, Modifiers) {
  EXPECT_EQ(Instruction("cvt.sat.f32.f32 %d, %a;", "f32", {"f32"})(0x7fc00000), 0u);
  EXPECT_EQ(Instruction("cvt.sat.f32.f32 %d, %a;", "f32", {"f32"})(bits(7.0f)), bits(1.0f));
  EXPECT_EQ(Instruction("cvt.ftz.f64.f32 %d, %a;", "f64", {"f32"})(0x80000001), bits(-0.0));
  EXPECT_EQ(Instruction("cvt.rn.ftz.f32.f64 %d, %a;", "f32", {"f64"})(bits(0x1p-130)), 0u);
  EXPECT_EQ(Instruction("cvt.rn.sat.f32.s32 %d, %a;", "f32", {"s32"})(5), bits(1.0f));
  EXPECT_EQ(Instruction("cvt.rn.relu.f16.f32 %d, %a;", "b16", {"f32"})(bits(-2.0f)), 0u);
  EXPECT_EQ(Instruction("cvt.rn.satfinite.f16.f32 %d, %a;", "b16", {"f32"})(bits(-1e9f)), 0xfbffu);
  EXPECT_EQ(Instruction("cvt.rn.satfinite.bf16.f32 %d, %a;", "b16", {"f32"})(0x7f800000), 0x7f7fu);
  EXPECT_EQ(Instruction("cvt.rn.relu.bf16x2.f32 %d, %a, %b;", "b32", {"f32", "f32"})(bits(1.0f), bits(-1.0f)),
            0x3f800000u);
  // The first source is the upper half.
  EXPECT_EQ(Instruction("cvt.rn.f16x2.f32 %d, %a, %b;", "b32", {"f32", "f32"})(bits(1.0f), bits(2.0f)), 0x3c004000u);
  EXPECT_EQ(Instruction("cvt.rz.f16x2.f32 %d, %a, %b;", "b32", {"f32", "f32"})(0xffc00001, bits(2.0f)), 0x7fff4000u);
}

TEST(Convert, ToTensorFloat) {
  Instruction away("cvt.rna.tf32.f32 %d, %a;", "b32", {"f32"}), nearest("cvt.rn.tf32.f32 %d, %a;", "b32", {"f32"}),
      zero("cvt.rz.tf32.f32 %d, %a;", "b32", {"f32"});
  // tf32 is a float with 10 fraction bits, stored in the upper 19 bits.
  constexpr Format kUpper{19, 10};
  for (uint64_t x : float_samples(32, 1000)) {
    Exact exact = Exact::decode(kF32, x);
    if (mpfr_nan_p(exact.v)) {
      ASSERT_EQ(away(x), x & 0xffffe000u);
      ASSERT_EQ(nearest(x), 0x7fffe000u);
      ASSERT_EQ(zero(x), 0x7fffe000u);
      continue;
    }
    ASSERT_EQ(away(x), exact.encode(kUpper, Mode::Away) << 13) << x;
    ASSERT_EQ(nearest(x), exact.encode(kUpper, Mode::Nearest) << 13) << x;
    ASSERT_EQ(zero(x), exact.encode(kUpper, Mode::Zero) << 13) << x;
  }
}

TEST(Convert, Pack) {
  EXPECT_EQ(Instruction("cvt.pack.sat.s16.s32 %d, %a, %b;", "b32", {"s32", "s32"})(100000u, uint32_t(-5)), 0x7ffffffbu);
  EXPECT_EQ(Instruction("cvt.pack.sat.u16.s32 %d, %a, %b;", "b32", {"s32", "s32"})(100000u, uint32_t(-5)), 0xffff0000u);
  Instruction bytes("cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", "b32", {"s32", "s32", "b32"});
  EXPECT_EQ(bytes(300u, 7u, 0x12345678u), 0x5678ff07u);
  Instruction nibbles("cvt.pack.sat.s4.s32.b32 %d, %a, %b, %c;", "b32", {"s32", "s32", "b32"});
  EXPECT_EQ(nibbles(100u, uint32_t(-100), 0x12345678u), 0x34567878u);
}

}  // namespace
}  // namespace warpwise::simt::test
