// The .approx instructions of PTX (ISA 9.7.3), each defined once.
//
// The manual bounds their errors and leaves the bits open. Our results follow these formulas: the compiler
// instantiates them over IR values, the interpreter over float, and since every step is an IEEE operation
// (or an fma) both give the same bits. They are branch-free, without tables, so that 32 lanes cost what
// one does. Reciprocals, quotients and roots use the correctly rounded operations, which modern vector units do
// quickly, so there is no error to budget.
//
//   instruction     the manual's bound                     ours
//   rcp, sqrt, div  1 to 2 ulp                             0.5 ulp
//   rsqrt           2^-22.9 relative                       2^-23 (two roundings)
//   ex2             2 ulp                                  0.87 ulp
//   lg2             2^-22 absolute in [0.5, 2], else rel.  2^-23.3
//   sin, cos        2^-20.5 absolute in [-pi, pi]          2^-22.5
//   tanh            2^-11 relative                         2^-16.2
//
// tests/simt/lower/approximations_test.cpp measures them.
// The caller does .ftz: subnormal inputs and results become zeros.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace warpwise::simt::approx {

// The vocabulary over plain floats; simt/lower/support/value.h has the same over IR.
inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline float abs(float a) { return std::fabs(a); }
inline float floor(float a) { return std::floor(a); }
inline float sqrt(float a) { return std::sqrt(a); }
// To nearest even, by a sum that leaves no room for a fraction; the rounding mode is never changed.
inline float round_even(float a) {
  float magnitude = std::fabs(a);
  if (!(magnitude < 0x1p23f)) return a;
  float rounded = (magnitude + 0x1p23f) - 0x1p23f;
  return std::copysign(rounded, a);
}
inline float select(bool condition, float a, float b) { return condition ? a : b; }
inline float copysign(float magnitude, float sign) { return std::copysign(magnitude, sign); }
inline uint32_t bits_of(float f) { return std::bit_cast<uint32_t>(f); }
inline float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }
inline uint32_t to_i32(float f) { return static_cast<uint32_t>(static_cast<int32_t>(f)); }
inline float i32_to_float(uint32_t i) { return static_cast<float>(static_cast<int32_t>(i)); }
inline uint32_t ashr(uint32_t a, int by) { return static_cast<uint32_t>(static_cast<int32_t>(a) >> by); }

// PTX's NaN (9.7.3).
inline float nan_like(float) { return float_of(0x7fffffff); }

// A constant of x's type.
inline float constant(float, float value) { return value; }
template <class V>
V constant(V like, float value) {
  return like.like(value);
}

template <class V>
V rcp(V x) {
  return 1.0f / x;
}

template <class V>
V rsqrt(V x) {
  return 1.0f / sqrt(x);
}

// 9.7.3.8: for 2^126 < |b| < 2^128 the reciprocal is flushed: the quotient is 0, of infinity NaN.
template <class V>
V div(V a, V b) {
  V magnitude = abs(b);
  V flushed = a * copysign(constant(b, 0.0f), b);
  return select((magnitude > 0x1p126f) & (magnitude < constant(b, INFINITY)), flushed, a / b);
}

// 2^x = 2^n 2^f, n the nearest integer: Taylor's series of 2^f for |f| <= 1/2 (the term of f^8 is below
// 2^-27), then two scalings, so that subnormal results are rounded once and large ones overflow.
template <class V>
V ex2(V x) {
  x = select(x > 160.0f, constant(x, 160.0f), x);
  x = select(x < -160.0f, constant(x, -160.0f), x);
  V n = round_even(x);
  V f = x - n;
  V p = constant(x, 1.5252733804e-5f);  // ln(2)^7 / 7!
  p = fma(p, f, constant(x, 1.5403530394e-4f));
  p = fma(p, f, constant(x, 1.3333558146e-3f));
  p = fma(p, f, constant(x, 9.6181291076e-3f));
  p = fma(p, f, constant(x, 5.5504108665e-2f));
  p = fma(p, f, constant(x, 2.4022650696e-1f));
  p = fma(p, f, constant(x, 6.9314718056e-1f));
  p = fma(p, f, constant(x, 1.0f));
  auto i = to_i32(select(x == x, n, constant(x, 0.0f)));
  auto half = ashr(i, 1);
  V low = float_of((half + 127) << 23);
  V high = float_of((i - half + 127) << 23);
  return p * low * high;
}

// log2 x = e + log2 m with m in [sqrt(1/2), sqrt(2)), and log2 m = 2/ln(2) atanh((m - 1) / (m + 1)).
template <class V>
V lg2(V x) {
  auto tiny = x < 0x1p-126f;
  V scaled = select(tiny, x * 0x1p24f, x);
  auto bits = bits_of(scaled);
  auto e = ashr(bits - 0x3f3504f3u, 23);
  V m = float_of(bits - (e << 23));
  V exponent = i32_to_float(e) - select(tiny, constant(x, 24.0f), constant(x, 0.0f));
  V s = (m - 1.0f) / (m + 1.0f);
  V z = s * s;
  V p = constant(x, 2.6230818925e-1f);  // 2 / (11 ln 2)
  p = fma(p, z, constant(x, 3.2059889797e-1f));
  p = fma(p, z, constant(x, 4.1219858311e-1f));
  p = fma(p, z, constant(x, 5.7707801636e-1f));
  p = fma(p, z, constant(x, 9.6179669393e-1f));
  p = fma(p, z, constant(x, 2.8853900818f));
  V result = fma(p, s, exponent);
  result = select(x == 0.0f, constant(x, -INFINITY), result);
  result = select(x < 0.0f, nan_like(x), result);
  return select(x < constant(x, INFINITY), result, x + x);  // +inf and NaN
}

namespace detail {

// x - n pi, pi in three parts (24 bits each). Where n pi exceeds what they cover the result is
// meaningless, and the callers only see to it that theirs stays in [-1, 1]; the manual promises nothing there.
template <class V>
V minus_n_pi(V x, V n) {
  V r = fma(n, constant(x, -3.14159274f), x);
  r = fma(n, constant(x, 8.74227766e-8f), r);
  return fma(n, constant(x, 3.43024900e-15f), r);
}

// p in [-1, 1], times -1 for odd n.
template <class V>
V turned(V p, V n) {
  p = select(p > 1.0f, constant(p, 1.0f), p);
  p = select(p < -1.0f, constant(p, -1.0f), p);
  V odd = n - 2.0f * floor(n * 0.5f);
  return select(odd == 1.0f, -p, p);
}

}  // namespace detail

// x = n pi + r with |r| <= pi/2, and Taylor's series to r^13 (the next term is below 2^-30).
template <class V>
V sin(V x) {
  V n = round_even(x * 0.318309886f);
  V r = detail::minus_n_pi(x, n);
  V z = r * r;
  V p = constant(x, 1.6059043837e-10f);
  p = fma(p, z, constant(x, -2.5052108385e-8f));
  p = fma(p, z, constant(x, 2.7557319224e-6f));
  p = fma(p, z, constant(x, -1.9841269841e-4f));
  p = fma(p, z, constant(x, 8.3333333333e-3f));
  p = fma(p, z, constant(x, -1.6666666667e-1f));
  p = fma(p * z, r, r);
  return select(x == 0.0f, x, detail::turned(p, n));  // -0 stays -0
}

// The same with the series to r^14.
template <class V>
V cos(V x) {
  V n = round_even(x * 0.318309886f);
  V r = detail::minus_n_pi(x, n);
  V z = r * r;
  V p = constant(x, -1.1470745598e-11f);
  p = fma(p, z, constant(x, 2.0876756988e-9f));
  p = fma(p, z, constant(x, -2.7557319224e-7f));
  p = fma(p, z, constant(x, 2.4801587302e-5f));
  p = fma(p, z, constant(x, -1.3888888889e-3f));
  p = fma(p, z, constant(x, 4.1666666667e-2f));
  p = fma(p, z, constant(x, -0.5f));
  p = fma(p, z, constant(x, 1.0f));
  return detail::turned(p, n);
}

// tanh x = 1 - 2 / (e^2x + 1), near zero the series, so that the relative error stays small.
template <class V>
V tanh(V x) {
  V magnitude = abs(x);
  V big = 1.0f - 2.0f / (ex2(magnitude * 2.88539008f) + 1.0f);
  V z = x * x;
  V small = fma(fma(z, constant(x, 0.133333333f), constant(x, -0.333333333f)) * z, magnitude, magnitude);
  return copysign(select(magnitude < 0.25f, small, big), x);
}

}  // namespace warpwise::simt::approx
