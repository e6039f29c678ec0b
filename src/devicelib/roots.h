// Square, cube and reciprocal roots, and norms (hypot and similar functions).
#pragma once

#include "platform.h"

namespace warpwise::devicelib {

// 1/sqrt(x): the rounded quotient, and one Newton step on its exact residual.
WW_INLINE double rsqrt_(double x) {
  const bool tiny = x < 0x1p-900, huge = x > 0x1p900;
  const double a = mul(x, tiny ? 0x1p200 : huge ? 0x1p-200 : 1.0);
  const double y = 1.0 / root(a);
  const Pair<double> square = two_product(y, y);
  const double residual = fma(-a, square.high, 1.0);
  const double better = fma(mul(0.5, y), fma(-a, square.low, residual), y);
  const double result = mul(better, tiny ? 0x1p100 : huge ? 0x1p-100 : 1.0);
  return x > 0.0 && x < kInfinity ? result : y;  // 0, infinity, negative, NaN: the quotient's value
}
WW_INLINE float rsqrtf_(float x) { return 1.0f / root(x); }

// Cube root of a positive normal number: a third of the exponent (W. Kahan's constant trick, "Computing a Real
// Cube Root", 1991; the division by 3 as a multiplication), then Halley's iteration, cubic, and a last Newton
// step whose residual is exact enough to round the root.
WW_INLINE double cube_root(double a) {
  const uint32_t third = static_cast<uint32_t>((to_bits(a) >> 32) * 0x55555556ull >> 32);
  double r = as_double(static_cast<uint64_t>(third + 715094163u) << 32);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const double cube = mul(mul(r, r), r);
    r = mul(r, add(cube, mul(2.0, a)) / add(mul(2.0, cube), a));
  }
  const Pair<double> square = two_product(r, r);
  const Pair<double> cube = two_product(square.high, r);
  const double residual = add(add(a, -cube.high), -fma(square.low, r, cube.low));
  return add(r, residual / mul(3.0, square.high));
}
WW_INLINE double cbrt_(double x) {
  const double a = absolute(x);
  const bool tiny = a < 0x1p-1000, huge = a > 0x1p900;
  const double r = cube_root(mul(a, tiny ? 0x1p120 : huge ? 0x1p-120 : 1.0));
  const double result = with_sign(mul(r, tiny ? 0x1p-40 : huge ? 0x1p40 : 1.0), x);
  return a == 0.0 || !(a < kInfinity) ? x : result;
}
WW_INLINE double rcbrt_(double x) {
  const double a = absolute(x);
  const bool tiny = a < 0x1p-1000, huge = a > 0x1p900;
  const double scaled = mul(a, tiny ? 0x1p120 : huge ? 0x1p-120 : 1.0);
  const double r = 1.0 / cube_root(scaled);
  // r (1 + (1 - a r³)/3), the residual from exact products.
  const Pair<double> square = two_product(r, r);
  const Pair<double> cube = two_product(square.high, r);
  const double residual = fma(-scaled, fma(square.low, r, cube.low), fma(-scaled, cube.high, 1.0));
  const double better = fma(mul(r, 0x1.5555555555555p-2), residual, r);
  const double result = with_sign(mul(better, tiny ? 0x1p40 : huge ? 0x1p-40 : 1.0), x);
  return a == 0.0 ? with_sign(kInfinity, x) : a == kInfinity ? with_sign(0.0, x) : x != x ? x : result;
}

// sqrt(Σ p²) or its reciprocal: everything scaled by a power of two so that squares neither overflow nor vanish,
// the sum of squares kept in two parts.
WW_INLINE double scale_for(double largest) { return largest > 0x1p500 ? 0x1p-600 : largest < 0x1p-400 ? 0x1p600 : 1.0; }
WW_INLINE Pair<double> add_square(Pair<double> sum, double x) {
  const Pair<double> square = two_product(x, x), s = two_sum(sum.high, square.high);
  return {s.high, add(s.low, add(sum.low, square.low))};
}
WW_INLINE double norm_result(Pair<double> sum, double factor, bool infinite, bool reciprocal) {
  const double s = root(sum.high);
  // One Newton step takes in the low part.
  const double better = s == 0.0 ? 0.0 : add(s, add(fma(-s, s, sum.high), sum.low) / mul(2.0, s));
  double result;
  if (reciprocal) {
    const double y = 1.0 / better;
    const Pair<double> square = two_product(y, y);
    const double residual = fma(-sum.high, square.low, fma(-sum.low, square.high, fma(-sum.high, square.high, 1.0)));
    result = infinite ? 0.0 : mul(sum.high > 0.0 ? fma(mul(0.5, y), residual, y) : y, factor);
  } else {
    result = infinite ? kInfinity : better / factor;
  }
  return result;
}
template <int n>
WW_INLINE double norm_of(const double (&p)[n], bool reciprocal) {
  double largest = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) largest = absolute(p[i]) > largest ? absolute(p[i]) : largest;
  const double factor = scale_for(largest);
  Pair<double> sum = {0, 0};
#pragma unroll
  for (int i = 0; i < n; ++i) sum = add_square(sum, mul(p[i], factor));
  return norm_result(sum, factor, largest == kInfinity, reciprocal);
}
WW_INLINE double norm_of(int n, const double* p, bool reciprocal) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = absolute(p[i]) > largest ? absolute(p[i]) : largest;
  const double factor = scale_for(largest);
  Pair<double> sum = {0, 0};
  for (int i = 0; i < n; ++i) sum = add_square(sum, mul(p[i], factor));
  return norm_result(sum, factor, largest == kInfinity, reciprocal);
}
// Squares of floats fit a double; the sum is exact but for the last bits.
template <int n>
WW_INLINE double square_sum(const float (&p)[n]) {
  double sum = 0;
#pragma unroll
  for (int i = 0; i < n; ++i) sum = fma(static_cast<double>(p[i]), static_cast<double>(p[i]), sum);
  bool infinite = false;
#pragma unroll
  for (int i = 0; i < n; ++i) infinite = infinite || absolute(p[i]) == kInfinityF;
  return infinite ? kInfinity : sum;
}
WW_INLINE double square_sum(int n, const float* p) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) {
    sum = fma(static_cast<double>(p[i]), static_cast<double>(p[i]), sum);
    infinite = infinite || absolute(p[i]) == kInfinityF;
  }
  return infinite ? kInfinity : sum;
}
WW_INLINE float float_root(double sum) { return static_cast<float>(root(sum)); }
WW_INLINE float float_rroot(double sum) { return static_cast<float>(1.0 / root(sum)); }

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_sqrt(double x) { return warpwise::devicelib::root(x); }
WW_FUNCTION float __nv_sqrtf(float x) { return warpwise::devicelib::root(x); }
WW_FUNCTION double __nv_rsqrt(double x) { return warpwise::devicelib::rsqrt_(x); }
WW_FUNCTION float __nv_rsqrtf(float x) { return warpwise::devicelib::rsqrtf_(x); }
WW_FUNCTION double __nv_cbrt(double x) { return warpwise::devicelib::cbrt_(x); }
WW_FUNCTION float __nv_cbrtf(float x) { return static_cast<float>(warpwise::devicelib::cbrt_(x)); }
WW_FUNCTION double __nv_rcbrt(double x) { return warpwise::devicelib::rcbrt_(x); }
WW_FUNCTION float __nv_rcbrtf(float x) { return static_cast<float>(warpwise::devicelib::rcbrt_(x)); }
WW_FUNCTION double __nv_hypot(double x, double y) { return warpwise::devicelib::norm_of({x, y}, false); }
WW_FUNCTION double __nv_rhypot(double x, double y) { return warpwise::devicelib::norm_of({x, y}, true); }
WW_FUNCTION double __nv_norm3d(double x, double y, double z) { return warpwise::devicelib::norm_of({x, y, z}, false); }
WW_FUNCTION double __nv_rnorm3d(double x, double y, double z) { return warpwise::devicelib::norm_of({x, y, z}, true); }
WW_FUNCTION double __nv_norm4d(double x, double y, double z, double w) {
  return warpwise::devicelib::norm_of({x, y, z, w}, false);
}
WW_FUNCTION double __nv_rnorm4d(double x, double y, double z, double w) {
  return warpwise::devicelib::norm_of({x, y, z, w}, true);
}
WW_FUNCTION double __nv_norm(int n, const double* p) { return warpwise::devicelib::norm_of(n, p, false); }
WW_FUNCTION double __nv_rnorm(int n, const double* p) { return warpwise::devicelib::norm_of(n, p, true); }
WW_FUNCTION float __nv_hypotf(float x, float y) {
  return warpwise::devicelib::float_root(warpwise::devicelib::square_sum({x, y}));
}
WW_FUNCTION float __nv_rhypotf(float x, float y) {
  return warpwise::devicelib::float_rroot(warpwise::devicelib::square_sum({x, y}));
}
WW_FUNCTION float __nv_norm3df(float x, float y, float z) {
  return warpwise::devicelib::float_root(warpwise::devicelib::square_sum({x, y, z}));
}
WW_FUNCTION float __nv_rnorm3df(float x, float y, float z) {
  return warpwise::devicelib::float_rroot(warpwise::devicelib::square_sum({x, y, z}));
}
WW_FUNCTION float __nv_norm4df(float x, float y, float z, float w) {
  return warpwise::devicelib::float_root(warpwise::devicelib::square_sum({x, y, z, w}));
}
WW_FUNCTION float __nv_rnorm4df(float x, float y, float z, float w) {
  return warpwise::devicelib::float_rroot(warpwise::devicelib::square_sum({x, y, z, w}));
}
WW_FUNCTION float __nv_normf(int n, const float* p) {
  return warpwise::devicelib::float_root(warpwise::devicelib::square_sum(n, p));
}
WW_FUNCTION float __nv_rnormf(int n, const float* p) {
  return warpwise::devicelib::float_rroot(warpwise::devicelib::square_sum(n, p));
}
