// exp, exp2, exp10, expm1.
//
// e^x = 2^n e^r with n = round(x/ln 2) and r in [-ln2/2, ln2/2] in two parts (Cody and Waite, "Software Manual
// for the Elementary Functions", 1980), e^r = 1 + (r + r² P(r)). Arguments are clamped where the result has long
// left the range, so that 2^n never needs more than two factors; a NaN passes through the comparisons.
#pragma once

#include "platform.h"
#include "polynomials.h"

namespace warpwise::devicelib {

constexpr double kLog2E = 0x1.71547652b82fep0, kLog2ELow = 0x1.777d0ffda0d24p-56;
constexpr double kLn2 = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;

template <class T>
WW_INLINE T clamp(T x, T low, T high) {
  x = x > high ? high : x;
  return x < low ? low : x;
}

// e^(r + low) for |r| <= ln2/2.
WW_INLINE double exp_reduced(double r, double low) {
  return add(1.0, add(r, fma(mul(r, r), polynomial(r, kExp), low)));
}
WW_INLINE float exp_reduced(float r, float low) { return add(1.0f, add(r, fma(mul(r, r), polynomial(r, kExpF), low))); }

// e^(high + low) * 2^extra for |high| < 2000.
WW_INLINE double exp_pair(double high, double low, int extra = 0) {
  const double rounded = fma(high, kLog2E, kRound);
  const double n = add(rounded, -kRound);
  // n ln2 leaves the first difference exact, so `low` may be added to the second.
  const double t = fma(n, -kLn2, high);
  const Pair<double> r = fast_two_sum(t, fma(n, -kLn2Low, low));
  return scale(exp_reduced(r.high, r.low), low_int(rounded, extra));
}

WW_INLINE double exp_(double x) { return exp_pair(clamp(x, -800.0, 800.0), 0.0); }

WW_INLINE float expf_(float x) {
  x = clamp(x, -120.0f, 120.0f);
  const float rounded = fma(x, 0x1.715476p0f, kRoundF);
  const float n = add(rounded, -kRoundF);
  const float r = fma(n, 0x1.05c61p-29f, fma(n, -0x1.62e43p-1f, x));
  return scale(exp_reduced(r, 0.0f), low_int(rounded));
}

WW_INLINE double exp2_(double x) {
  x = clamp(x, -1200.0, 1200.0);
  const double rounded = add(x, kRound);
  const double r = add(x, -add(rounded, -kRound));
  const double t = mul(r, kLn2);
  return scale(exp_reduced(t, fma(r, kLn2Low, fma(r, kLn2, -t))), low_int(rounded));
}
WW_INLINE float exp2f_(float x) {
  x = clamp(x, -200.0f, 200.0f);
  const float rounded = add(x, kRoundF);
  const float r = add(x, -add(rounded, -kRoundF));
  const float t = mul(r, 0x1.62e43p-1f);
  return scale(exp_reduced(t, fma(r, -0x1.05c61p-29f, fma(r, 0x1.62e43p-1f, -t))), low_int(rounded));
}

WW_INLINE double exp10_(double x) {
  x = clamp(x, -350.0, 350.0);
  const double rounded = fma(x, 0x1.a934f0979a371p1, kRound);  // log2(10)
  const double n = add(rounded, -kRound);
  // x - n log10(2), with log10(2) in two parts; then times ln 10.
  const Pair<double> r = fast_two_sum(fma(n, -0x1.34413509f79ffp-2, x), mul(n, 0x1.9dc1da994fd21p-59));
  const double t = mul(r.high, 0x1.26bb1bbb55516p1);
  const double low =
      fma(r.low, 0x1.26bb1bbb55516p1, fma(r.high, -0x1.f48ad494ea3e9p-53, fma(r.high, 0x1.26bb1bbb55516p1, -t)));
  return scale(exp_reduced(t, low), low_int(rounded));
}
WW_INLINE float exp10f_(float x) {
  x = clamp(x, -60.0f, 60.0f);
  const float rounded = fma(x, 0x1.a934f0p1f, kRoundF);
  const float n = add(rounded, -kRoundF);
  const float r = fma(n, 0x1.ec10cp-27f, fma(n, -0x1.344136p-2f, x));
  const float t = mul(r, 0x1.26bb1cp1f);
  return scale(exp_reduced(t, fma(r, -0x1.12aabap-25f, fma(r, 0x1.26bb1cp1f, -t))), low_int(rounded));
}

// e^x - 1 = (2^n - 1) + 2^n (e^r - 1): the two large terms are added exactly.
WW_INLINE double expm1_(double x) {
  const double y = clamp(x, -60.0, 100.0);
  const double rounded = fma(y, kLog2E, kRound);
  const double n = add(rounded, -kRound);
  const Pair<double> r = fast_two_sum(fma(n, -kLn2, y), mul(n, -kLn2Low));
  const double s = power_of_two(low_int(rounded));
  const Pair<double> less = two_sum(s, -1.0), sum = two_sum(less.high, mul(s, r.high));
  const double rest = fma(mul(r.high, r.high), polynomial(r.high, kExp), r.low);
  const double result = add(sum.high, fma(s, rest, add(sum.low, less.low)));
  return x > 90.0 ? exp_(x) : absolute(x) < 0x1p-54 ? x : result;
}
WW_INLINE float expm1f_(float x) {
  const float y = clamp(x, -30.0f, 88.0f);
  const float rounded = fma(y, 0x1.715476p0f, kRoundF);
  const float n = add(rounded, -kRoundF);
  const Pair<float> r = fast_two_sum(fma(n, -0x1.62e43p-1f, y), mul(n, 0x1.05c61p-29f));
  const float s = power_of_twof(low_int(rounded));
  const Pair<float> less = two_sum(s, -1.0f), sum = two_sum(less.high, mul(s, r.high));
  const float rest = fma(mul(r.high, r.high), polynomial(r.high, kExpF), r.low);
  const float result = add(sum.high, fma(s, rest, add(sum.low, less.low)));
  return x > 85.0f ? expf_(x) : absolute(x) < 0x1p-26f ? x : result;
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_exp(double x) { return warpwise::devicelib::exp_(x); }
WW_FUNCTION float __nv_expf(float x) { return warpwise::devicelib::expf_(x); }
WW_FUNCTION double __nv_exp2(double x) { return warpwise::devicelib::exp2_(x); }
WW_FUNCTION float __nv_exp2f(float x) { return warpwise::devicelib::exp2f_(x); }
WW_FUNCTION double __nv_exp10(double x) { return warpwise::devicelib::exp10_(x); }
WW_FUNCTION float __nv_exp10f(float x) { return warpwise::devicelib::exp10f_(x); }
WW_FUNCTION double __nv_expm1(double x) { return warpwise::devicelib::expm1_(x); }
WW_FUNCTION float __nv_expm1f(float x) { return warpwise::devicelib::expm1f_(x); }
