// erf, erfc, erfcx, the normal distribution, and their inverses.
//
// erfcx(x) = e^(x²) erfc(x) is smooth on the whole half line and carries all the others: Shepherd and Laframboise
// 1981 (see polynomials.py). The inverses start from Winitzki's closed form ("A handy approximation for the
// error function and its inverse", 2008) and correct it twice with Halley's iteration.
#pragma once

#include "logarithm.h"

namespace warpwise::devicelib {

constexpr double kRootPiHalf = 0x1.c5bf891b4ef6bp-1;  // sqrt(π)/2
constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp0;

// x >= 0, finite.
WW_INLINE double erfcx_positive(double x) {
  const double t = add(x, -3.75) / add(x, 3.75);
  return polynomial(t, kErfcx) / fma(2.0, x, 1.0);
}
// e^-(x + low)², the square to twice a double's precision.
WW_INLINE double exp_minus_square(double x, double low) {
  const Pair<double> s = two_product(x, x);
  return exp_pair(-s.high, -fma(mul(2.0, x), low, s.low));
}
WW_INLINE double erf_near(double x) {
  const double z = mul(x, x);
  return fma(x, polynomial(z, kErf), x);
}
// erfc(x + low) for 0 <= x.
WW_INLINE double erfc_positive(double x, double low) {
  const double y = x > 28.0 ? 28.0 : x;
  return mul(exp_minus_square(y, x > 28.0 ? 0.0 : low), erfcx_positive(y));
}
WW_INLINE double erf_(double x) {
  const double a = absolute(x);
  const double far = add(1.0, -erfc_positive(a > 6.5 ? 6.5 : a, 0.0));
  return x != x ? x : with_sign(a < 1.0 ? absolute(erf_near(x)) : far, x);
}
// For float, beyond 1: 1 - e^(log erfc), of which the second term is small.
WW_INLINE float erff_(float x) {
  const float a = absolute(x), z = mul(x, x);
  const float near = fma(a, polynomial(z, kErfF), a);
  const float y = a < 1.0f ? 1.0f : a > 4.0f ? 4.0f : a;
  const float far = add(1.0f, -expf_(polynomial(y, kLogErfcF)));
  return x != x ? x : with_sign(a < 1.0f ? near : far, x);
}
WW_INLINE double erfc_pair(double x, double low) {
  const double a = absolute(x);
  const double sign_low = x < 0.0 ? -low : low;
  const double far = erfc_positive(a, sign_low);
  // Near 0 the difference 1 - erf is exact enough, and shorter.
  const double near = add(1.0, -fma(kTwoOverRootPi, low, erf_near(x)));
  return x != x ? x : a < 0.25 ? near : x < 0.0 ? add(2.0, -far) : far;
}
WW_INLINE double erfc_(double x) { return erfc_pair(x, 0.0); }
WW_INLINE double erfcx_(double x) {
  const double a = absolute(x);
  const double y = a > 0x1p500 ? 0x1p500 : a;
  const double positive = erfcx_positive(y);
  const Pair<double> square = two_product(x < 0.0 ? clamp(x, -30.0, 0.0) : 0.0, clamp(x, -30.0, 0.0));
  const double negative = add(mul(2.0, exp_pair(square.high, square.low)), -positive);
  const double asymptotic = mul(0.5, kTwoOverRootPi) / x;
  const double near = mul(exp_(mul(x, x)), add(1.0, -erf_near(x)));
  return x != x ? x : a < 0.25 ? near : x < 0.0 ? negative : x > 0x1p100 ? asymptotic : positive;
}
// erfc(-x/√2)/2, the argument in two parts.
WW_INLINE double normcdf_(double x) {
  const double y = clamp(x, -50.0, 50.0);
  const double z = mul(y, -0x1.6a09e667f3bcdp-1);
  const double low = fma(y, 0x1.bdd3413b26456p-55, fma(y, -0x1.6a09e667f3bcdp-1, -z));
  return mul(0.5, erfc_pair(z, low));
}

// The x >= 0 with erfc(x) = p, 0 < p <= 1; for p > 1/2 it is found from erf(x) = q, which is better conditioned.
WW_INLINE double inverse_erfc(double p, double q) {
  const bool central = q < 0.5;
  constexpr double a = 0.147;
  const double l = central ? log1p_(-mul(q, q)) : log_(mul(p, add(2.0, -p)));
  const double b = fma(0.5, l, 2.0 / (3.14159265358979 * a));
  double x = root(add(root(fma(b, b, -l / a)), -b));
  // Far out Winitzki's form drifts; one step of x² = -log(p x √π) brings it back.
  const double tail = root(-add(log_(p), log_(mul(x, 2 * kRootPiHalf))));
  x = p < 1e-10 ? tail : x;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    // f = (erfc(x) - p) / erfc'(x), the difference relative where p is small.
    const Pair<double> square = two_product(x, x);
    // e^(x²) 2^-64: for subnormal p it would overflow.
    const double growth = exp_pair(square.high, square.low, -64);
    const double wide = mul(mul(mul(add(erf_near(x), -q), growth), 0x1p64), kRootPiHalf);
    const double narrow = mul(add(mul(mul(p, 0x1p64), growth), -erfcx_positive(x)), kRootPiHalf);
    const double f = central ? wide : narrow;
    x = add(x, -(f / fma(x, f, 1.0)));
  }
  return x;
}
WW_INLINE double erfinv_(double y) {
  const double a = absolute(y);
  const double x = inverse_erfc(add(1.0, -a), a);
  const double result = a == 1.0 ? kInfinity : a > 1.0 ? kNan : a < 0x1p-40 ? mul(a, kRootPiHalf) : x;
  return y != y ? y : with_sign(result, y);
}
WW_INLINE double erfcinv_(double y) {
  const bool mirrored = y > 1.0;
  const double p = mirrored ? add(2.0, -y) : y;
  const double x = inverse_erfc(p, add(1.0, -p));
  const double magnitude = p == 0.0 ? kInfinity : p < 0.0 || p > 1.0 ? kNan : p == 1.0 ? 0.0 : x;
  return y != y ? y : mirrored ? -magnitude : magnitude;
}
WW_INLINE double normcdfinv_(double p) {
  const double x = erfcinv_(mul(2.0, p));
  const double z = mul(x, -0x1.6a09e667f3bcdp0);
  return absolute(z) == kInfinity ? z : fma(x, 0x1.bdd3413b26456p-54, z);
}

}  // namespace warpwise::devicelib

#define WW_BOTH(name)                                                                  \
  WW_FUNCTION double __nv_##name(double x) { return warpwise::devicelib::name##_(x); } \
  WW_FUNCTION float __nv_##name##f(float x) {                                          \
    return static_cast<float>(warpwise::devicelib::name##_(static_cast<double>(x)));   \
  }
WW_FUNCTION double __nv_erf(double x) { return warpwise::devicelib::erf_(x); }
WW_FUNCTION float __nv_erff(float x) { return warpwise::devicelib::erff_(x); }
WW_BOTH(erfc)
WW_BOTH(erfcx)
WW_BOTH(normcdf)
WW_BOTH(erfinv)
WW_BOTH(erfcinv)
WW_BOTH(normcdfinv)
#undef WW_BOTH
