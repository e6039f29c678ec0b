// lgamma and tgamma.
//
// Around 2, polynomials; from 8 (13) on, Stirling's series; between, the recurrence Γ(x+1) = x Γ(x); below, the
// reflection Γ(x) Γ(-x) = -π / (x sin πx) (Abramowitz and Stegun, 6.1.15, 6.1.17, 6.1.40).
#pragma once

#include "logarithm.h"
#include "trigonometric.h"

namespace warpwise::devicelib {

constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1;

// log Γ(x), x > 0.
WW_INLINE double lgamma_positive(double x) {
  const bool large = x >= 8.0, below = x < 1.25;
  // Near 2 (-3/4 to 1/2): up by one below 1.25 (from the origin by two), down by the recurrence up to 8.
  const bool tiny = x < 0.5;
  double y = large ? 2.0 : x, product = 1.0;
  for (int i = 0; i < 6; ++i) {
    const bool down = y > 2.5;
    y = down ? add(y, -1.0) : y;
    product = down ? mul(product, y) : product;
  }
  // For x < 1.25: lgamma x = lgamma(x+1) - log x, and log of (x-1)+1 keeps what x - 1 has exactly.
  const double u = tiny ? x : below ? add(x, -1.0) : add(y, -2.0);
  const double near_two = tiny ? 0.0 : mul(u, polynomial(u, kLogGamma));
  // x < 1/2 goes up twice: lgamma x = lgamma(x+2) - log(x(x+1)).
  const double from_two = mul(x, polynomial(tiny ? x : 0.0, kLogGamma));
  const double small = add(from_two, -add(log_(x), log1p_(x)));
  const double middle = below ? add(near_two, -log1p_(u)) : add(near_two, log_(product));
  const double w = 1.0 / x;
  const double series = mul(w, polynomial(large ? mul(w, w) : 0.0, kStirling));
  const double l = log_(x);
  const double stirling = fma(add(x, -0.5), add(l, -1.0), add(add(kHalfLog2Pi, -0.5), series));
  return large ? (x > 0x1p120 ? mul(x, add(l, -1.0)) : stirling) : tiny ? small : middle;
}
WW_INLINE double lgamma_(double x) {
  const double a = absolute(x);
  const double positive = lgamma_positive(a);
  // log(π / (|x| |sin πx|)) - lgamma |x|
  const double reflected = add(log_(0x1.921fb54442d18p1 / mul(a, absolute(sinpi_(a)))), -positive);
  const bool pole = a == __builtin_floor(a) && x <= 0.0;
  const double tiny = -log_(a);
  return x != x ? x : a == kInfinity || pole ? kInfinity : a < 0x1p-60 ? tiny : x < 0.0 ? reflected : positive;
}

// Γ(x) for x > 0, times 2^extra so that the reflection of large x does not overflow.
WW_INLINE double tgamma_positive(double x, int extra) {
  const bool large = x > 11.5;
  double y = large ? 2.0 : x;
  Pair<double> product = {1.0, 0.0};
  for (int i = 0; i < 10; ++i) {
    const bool down = y > 2.5;
    y = down ? add(y, -1.0) : y;
    const double factor = down ? y : 1.0;
    const Pair<double> p = two_product(product.high, factor);
    product = {p.high, fma(product.low, factor, p.low)};
  }
  // Below 1.5 the recurrence goes the other way.
  const bool once = y < 1.5, twice = y < 0.5;
  const double divisor = twice ? mul(y, add(y, 1.0)) : once ? y : 1.0;
  const double u = twice ? y : once ? add(y, -1.0) : add(y, -2.0);
  const double g = polynomial(u, kGamma);
  const double near = fma(g, product.high, mul(g, product.low)) / divisor;
  // sqrt(2π) x^(x-1/2) e^-x e^series: exponents in two parts.
  const double z = large ? x : 12.0;
  const Mantissa a = split(z);
  const Pair<double> m = log_pair(add(a.m, -1.0));
  const Pair<double> sum = two_sum(mul(a.e, kLn2Short), m.high);
  const Pair<double> ln = fast_two_sum(sum.high, add(sum.low, fma(a.e, kLn2ShortLow, m.low)));
  const double power = add(z, -0.5);
  const Pair<double> p = two_product(power, ln.high);
  const Pair<double> exponent = two_sum(p.high, -z);
  const double low = add(fma(power, ln.low, p.low), exponent.low);
  const double w = 1.0 / z;
  const Pair<double> whole = two_sum(exponent.high, kHalfLog2Pi);
  const double series = add(mul(w, polynomial(mul(w, w), kStirling)), -0x1.65b5a1b7ff5dfp-55);
  const Pair<double> total = two_sum(whole.high, series);
  const double stirling = exp_pair(total.high, add(total.low, add(whole.low, low)), extra);
  return large ? stirling : scale(near, extra);
}
WW_INLINE double tgamma_(double x) {
  const double a = absolute(x);
  const double bounded = a > 200.0 ? 200.0 : a;
  const double positive = tgamma_positive(bounded, 0);
  // -π / (x sin(πx) Γ(|x|)); Γ at 2^-600 of itself, for results that are subnormal.
  const double shrunk = tgamma_positive(bounded, -600);
  const double s = sinpi_(a);
  const double reflected = mul(0x1.921fb54442d18p1 / mul(mul(-a, s), shrunk), 0x1p-600);
  const double result = a > 190.0 ? with_sign(0.0, -s) : reflected;
  const bool pole = x < 0.0 && a == __builtin_floor(a);
  return x != x || pole ? kNan
         : x == 0.0     ? with_sign(kInfinity, x)
         : a < 0x1p-60  ? 1.0 / x
         : x < 0.0      ? result
         : x > 172.0    ? kInfinity
                        : positive;
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_lgamma(double x) { return warpwise::devicelib::lgamma_(x); }
WW_FUNCTION float __nv_lgammaf(float x) {
  return static_cast<float>(warpwise::devicelib::lgamma_(static_cast<double>(x)));
}
WW_FUNCTION double __nv_tgamma(double x) { return warpwise::devicelib::tgamma_(x); }
WW_FUNCTION float __nv_tgammaf(float x) {
  return static_cast<float>(warpwise::devicelib::tgamma_(static_cast<double>(x)));
}
