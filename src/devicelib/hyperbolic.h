// sinh, cosh, tanh and their inverses, from exponentials and logarithms; polynomials where those would cancel.
#pragma once

#include "logarithm.h"

namespace warpwise::devicelib {

// e^a / 2, which does not overflow before sinh and cosh do.
WW_INLINE double half_exp(double a) { return exp_pair(clamp(a, -800.0, 800.0), 0.0, -1); }
WW_INLINE double sinh_(double x) {
  const double a = absolute(x), z = mul(a, a);
  const double near = fma(mul(a, z), polynomial(z, kSinh), a);
  const double e = half_exp(a), far = add(e, -0.25 / e);
  return with_sign(a < 1.0 ? near : far, x);
}
WW_INLINE double cosh_(double x) {
  // e^|x|/2 in two parts: the second is what the sum 1 + … rounded off.
  // Beyond 712 the first is infinite; the second must not be.
  const double a = clamp(absolute(x), 0.0, 712.0);
  const double rounded = fma(a, kLog2E, kRound), n = add(rounded, -kRound);
  const Pair<double> r = fast_two_sum(fma(n, -kLn2, a), mul(n, -kLn2Low));
  const Pair<double> sum = fast_two_sum(1.0, add(r.high, fma(mul(r.high, r.high), polynomial(r.high, kExp), r.low)));
  const int exponent = low_int(rounded, -1);
  const double e = scale(sum.high, exponent);
  return add(e, add(scale(sum.low, exponent), 0.25 / e));
}
WW_INLINE double tanh_(double x) {
  const double a = absolute(x), z = mul(a, a);
  const double near = fma(mul(a, z), polynomial(z, kTanh), a);
  const double far = add(1.0, -(2.0 / add(exp_(clamp(mul(2.0, a), 0.0, 80.0)), 1.0)));
  return x != x ? x : with_sign(a < 0.8 ? near : far, x);
}
WW_INLINE float tanhf_(float x) {
  const float a = absolute(x), z = mul(a, a);
  const float near = fma(mul(a, z), polynomial(z, kTanhF), a);
  const float far = add(1.0f, -(2.0f / add(expf_(clamp(mul(2.0f, a), 0.0f, 40.0f)), 1.0f)));
  return x != x ? x : with_sign(a < 0.55f ? near : far, x);
}
// The float versions in double: one rounding.
WW_INLINE float sinhf_(float x) { return static_cast<float>(sinh_(clamp(static_cast<double>(x), -100.0, 100.0))); }
WW_INLINE float coshf_(float x) { return static_cast<float>(cosh_(clamp(static_cast<double>(x), -100.0, 100.0))); }

WW_INLINE double asinh_(double x) {
  const double a = absolute(x);
  const bool huge = a > 0x1p30;
  const double y = huge ? 1.0 : a;
  const double near = log1p_(add(y, mul(y, y) / add(1.0, root(fma(y, y, 1.0)))));
  const double far = add(log_(a), kLn2);
  return with_sign(huge ? far : near, x);
}
WW_INLINE double acosh_(double x) {
  const double t = add(x, -1.0);
  const double near = log1p_(add(t, root(fma(t, t, mul(2.0, t)))));
  return x > 0x1p30 ? add(log_(x), kLn2) : x < 1.0 ? kNan : near;
}
WW_INLINE double atanh_(double x) {
  const double a = absolute(x);
  return with_sign(mul(0.5, log1p_(mul(2.0, a) / add(1.0, -a))), x);
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_sinh(double x) { return warpwise::devicelib::sinh_(x); }
WW_FUNCTION float __nv_sinhf(float x) { return warpwise::devicelib::sinhf_(x); }
WW_FUNCTION double __nv_cosh(double x) { return warpwise::devicelib::cosh_(x); }
WW_FUNCTION float __nv_coshf(float x) { return warpwise::devicelib::coshf_(x); }
WW_FUNCTION double __nv_tanh(double x) { return warpwise::devicelib::tanh_(x); }
WW_FUNCTION float __nv_tanhf(float x) { return warpwise::devicelib::tanhf_(x); }
WW_FUNCTION double __nv_asinh(double x) { return warpwise::devicelib::asinh_(x); }
WW_FUNCTION float __nv_asinhf(float x) { return static_cast<float>(warpwise::devicelib::asinh_(x)); }
WW_FUNCTION double __nv_acosh(double x) { return warpwise::devicelib::acosh_(x); }
WW_FUNCTION float __nv_acoshf(float x) { return static_cast<float>(warpwise::devicelib::acosh_(x)); }
WW_FUNCTION double __nv_atanh(double x) { return warpwise::devicelib::atanh_(x); }
WW_FUNCTION float __nv_atanhf(float x) { return static_cast<float>(warpwise::devicelib::atanh_(x)); }
