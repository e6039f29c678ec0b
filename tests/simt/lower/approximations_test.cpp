// The .approx formulas, over plain floats, against long double: within the errors that the PTX manual
// allows (ISA 9.7.3, tables of each instruction). float32_test shows that the IR gives the same bits.
#include "simt/lower/support/approximations.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace warpwise::simt::approx {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Every 37th float between two positive numbers: dense, and coprime to all alignments.
template <class F>
void for_floats(float from, float to, F f) {
  for (uint64_t bits = std::bit_cast<uint32_t>(from); bits <= std::bit_cast<uint32_t>(to); bits += 37) {
    f(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
}

long double ulp(long double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0L, std::max(exponent, -125) - 24);
}

struct Worst {
  const char* what;
  long double error = 0;
  float at = 0;
  void see(long double e, float x) {
    if (!(e <= error)) error = e, at = x;
  }
  ~Worst() { std::printf("%-28s %.3Lg at %a\n", what, error, at); }
};

bool same(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

TEST(Approximations, Ex2) {
  Worst worst{"ex2, ulp"};
  for (float sign : {1.0f, -1.0f}) {
    for_floats(0x1p-30f, 150.0f, [&](float x) {
      x *= sign;
      long double exact = ::exp2l(x);
      if (exact > 0x1.fffffep127L || exact < 0x1p-149L) return;
      worst.see(std::fabs(ex2(x) - exact) / ulp(exact), x);
    });
  }
  EXPECT_LT(worst.error, 2);
  EXPECT_TRUE(same(ex2(0.0f), 1.0f));
  EXPECT_TRUE(same(ex2(-0.0f), 1.0f));
  EXPECT_TRUE(same(ex2(-kInfinity), 0.0f));
  EXPECT_TRUE(same(ex2(kInfinity), kInfinity));
  EXPECT_TRUE(same(ex2(128.0f), kInfinity));
  EXPECT_TRUE(same(ex2(-149.0f), 0x1p-149f));
  EXPECT_TRUE(std::isnan(ex2(NAN)));
}

TEST(Approximations, Lg2) {
  Worst near{"lg2 in [0.5, 2], absolute"}, far{"lg2 elsewhere, relative"};
  for_floats(0x1p-149f, 0x1.fffffep127f, [&](float x) {
    long double exact = ::log2l(x), error = std::fabs(lg2(x) - exact);
    if (x >= 0.5f && x <= 2.0f) {
      near.see(error, x);
    } else {
      far.see(error / std::fabs(exact), x);
    }
  });
  EXPECT_LT(near.error, 0x1p-22L);
  EXPECT_LT(far.error, 0x1p-22L);
  EXPECT_TRUE(same(lg2(1.0f), 0.0f));
  EXPECT_TRUE(same(lg2(0.0f), -kInfinity));
  EXPECT_TRUE(same(lg2(-0.0f), -kInfinity));
  EXPECT_TRUE(same(lg2(kInfinity), kInfinity));
  EXPECT_TRUE(std::isnan(lg2(-1.0f)));
  EXPECT_TRUE(std::isnan(lg2(-kInfinity)));
  EXPECT_TRUE(std::isnan(lg2(NAN)));
}

TEST(Approximations, SinAndCos) {
  Worst sine{"sin in [-pi, pi], absolute"}, cosine{"cos in [-pi, pi], absolute"}, wide{"sin in [-100 pi, 100 pi]"};
  for (float sign : {1.0f, -1.0f}) {
    for_floats(0x1p-40f, 3.14159274f, [&](float x) {
      x *= sign;
      sine.see(std::fabs(sin(x) - ::sinl(x)), x);
      cosine.see(std::fabs(cos(x) - ::cosl(x)), x);
    });
    for_floats(3.14159274f, 314.159f, [&](float x) {
      x *= sign;
      wide.see(std::fabs(sin(x) - ::sinl(x)), x);
      wide.see(std::fabs(cos(x) - ::cosl(x)), x);
    });
  }
  EXPECT_LT(sine.error, 0x1.6ap-21L);  // 2^-20.5
  EXPECT_LT(cosine.error, 0x1.6ap-21L);
  EXPECT_LT(wide.error, 0x1.3dp-15L);  // 2^-14.7
  EXPECT_TRUE(same(sin(0.0f), 0.0f));
  EXPECT_TRUE(same(sin(-0.0f), -0.0f));
  EXPECT_TRUE(same(cos(0.0f), 1.0f));
  EXPECT_TRUE(std::isnan(sin(kInfinity)));
  EXPECT_TRUE(std::isnan(cos(-kInfinity)));
  for (float x : {0x1p40f, 0x1p100f, -0x1.fffffep127f}) {
    EXPECT_LE(std::fabs(sin(x)), 1.0f);
    EXPECT_LE(std::fabs(cos(x)), 1.0f);
  }
}

TEST(Approximations, Tanh) {
  Worst worst{"tanh, relative"};
  for (float sign : {1.0f, -1.0f}) {
    for_floats(0x1p-126f, 100.0f, [&](float x) {
      x *= sign;
      long double exact = ::tanhl(x);
      worst.see(std::fabs((tanh(x) - exact) / exact), x);
    });
  }
  EXPECT_LT(worst.error, 0x1p-11L);
  EXPECT_TRUE(same(tanh(-0.0f), -0.0f));
  EXPECT_TRUE(same(tanh(kInfinity), 1.0f));
  EXPECT_TRUE(same(tanh(-kInfinity), -1.0f));
  EXPECT_TRUE(std::isnan(tanh(NAN)));
}

TEST(Approximations, ReciprocalRoot) {
  Worst worst{"rsqrt, relative"};
  for_floats(0x1p-149f, 0x1.fffffep127f, [&](float x) {
    long double exact = 1 / std::sqrt(static_cast<long double>(x));
    worst.see(std::fabs((rsqrt(x) - exact) / exact), x);
  });
  EXPECT_LT(worst.error, 0x1.13p-23L);  // 2^-22.9
  EXPECT_TRUE(same(rsqrt(0.0f), kInfinity));
  EXPECT_TRUE(same(rsqrt(-0.0f), -kInfinity));
  EXPECT_TRUE(same(rsqrt(kInfinity), 0.0f));
  EXPECT_TRUE(std::isnan(rsqrt(-1.0f)));
}

// ISA 9.7.3.8: a huge divisor flushes the quotient, and makes a NaN of infinity.
TEST(Approximations, DivisionByHugeNumbers) {
  EXPECT_TRUE(same(div(6.0f, 3.0f), 2.0f));
  EXPECT_TRUE(same(div(0x1p127f, 0x1p126f), 2.0f));
  EXPECT_TRUE(same(div(0x1p127f, 0x1p127f), 0.0f));
  EXPECT_TRUE(same(div(-0x1p127f, 0x1p127f), -0.0f));
  EXPECT_TRUE(std::isnan(div(kInfinity, 0x1p127f)));
  EXPECT_TRUE(same(div(1.0f, kInfinity), 0.0f));
  EXPECT_TRUE(same(div(1.0f, -0.0f), -kInfinity));
}

}  // namespace
}  // namespace warpwise::simt::approx
