// The exact functions: rounding to integers, remainders, exponents, neighbours, comparisons.
#pragma once

#include "platform.h"

namespace warpwise::devicelib {

// x 2^n, rounded once: on the way to subnormal numbers only the last factor may round.
WW_INLINE double scalbn_(double x, int n) {
  n = n > 3000 ? 3000 : n < -3000 ? -3000 : n;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const bool up = n > 1023, down = n < -1022;
    x = mul(x, up ? 0x1p1023 : down ? 0x1p-969 : 1.0);
    n += up ? -1023 : down ? 969 : 0;
  }
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return mul(x, power_of_two(n));
}

// The exponent of x >= 0 as its bits have it, going on below 1 for subnormal numbers.
WW_INLINE int biased_exponent(double x) {
  const bool tiny = x < 0x1p-1022;
  return static_cast<int>(to_bits(mul(x, tiny ? 0x1p54 : 1.0)) >> 52) - (tiny ? 54 : 0);
}
// |a| mod b for b > 0: each step takes up to 50 bits of the quotient, exactly, because the product and the
// difference of a fused multiply-add are not rounded when the result fits.
WW_INLINE double modulo(double a, double b) {
  double r = absolute(a);
  const int exponent_b = biased_exponent(b);
  while (r >= b) {
    const int shift = biased_exponent(r) - exponent_b - 50;
    const double step = scalbn_(b, shift > 0 ? shift : 0);
    const double q = __builtin_trunc(r / step);
    const double next = fma(-q, step, r);
    r = next < 0.0 ? add(next, step) : next;
  }
  return r;
}
WW_INLINE double fmod_(double x, double y) {
  const double a = absolute(x), b = absolute(y);
  if (!(a < kInfinity) || !(b > 0.0)) return kNan;
  return a < b || b == kInfinity ? x : with_sign(modulo(a, b), x);
}
// Remainder to the nearest quotient, ties to the even one, and the quotient's last three bits.
WW_INLINE double remquo_(double x, double y, int* quotient) {
  const double a = absolute(x), b = absolute(y);
  *quotient = 0;
  if (!(a < kInfinity) || !(b > 0.0)) return kNan;
  if (b == kInfinity) return x;
  double r = b < 0x1p1020 ? modulo(a, mul(8.0, b)) : a;
  int q = 0;
#pragma unroll
  for (int bit = 8; bit > 0; bit >>= 1) {
    const double part = mul(b, static_cast<double>(bit));
    const bool take = r >= part;
    r = take ? add(r, -part) : r;
    q += take ? bit : 0;
  }
  // r < b: compare 2 r with b without overflow or loss.
  const double rest = add(b, -r);
  const bool up = r > rest || (r == rest && q & 1);
  r = up ? -rest : r;
  q = (q + (up ? 1 : 0)) & 7;
  *quotient = __builtin_signbit(x) != __builtin_signbit(y) ? -q : q;
  return __builtin_signbit(x) ? -r : r;
}

WW_INLINE float scalbnf_(float x, int n) {
  // Exact in a double, then one rounding.
  n = n > 400 ? 400 : n < -400 ? -400 : n;
  return static_cast<float>(mul(static_cast<double>(x), power_of_two(n)));
}
WW_INLINE double frexp_(double x, int* exponent) {
  const bool tiny = absolute(x) < 0x1p-1022;
  const double y = tiny ? mul(x, 0x1p54) : x;
  const bool special = x == 0.0 || !(absolute(x) < kInfinity);
  *exponent = special ? 0 : static_cast<int>(to_bits(y) >> 52 & 0x7ff) - 1022 - (tiny ? 54 : 0);
  return special ? x : as_double((to_bits(y) & 0x800fffffffffffff) | 0x3fe0000000000000);
}
WW_INLINE int ilogb_(double x) {
  int exponent;
  frexp_(x, &exponent);
  // CUDA: INT_MIN for 0 and NaN, INT_MAX for infinity.
  return x == 0.0 || x != x ? -2147483647 - 1 : absolute(x) == kInfinity ? 2147483647 : exponent - 1;
}
WW_INLINE double logb_(double x) {
  return x != x ? x : x == 0.0 ? -kInfinity : absolute(x) == kInfinity ? kInfinity : static_cast<double>(ilogb_(x));
}
// The neighbour of x towards y: the bits as an integer, one more or one less.
WW_INLINE double nextafter_(double x, double y) {
  const bool away = (x < y) == (x > 0.0);
  const double step = as_double(to_bits(x) + (away ? 1 : -1));
  const double from_zero = with_sign(0x1p-1074, y);
  return x != x || y != y ? kNan : x == y ? y : x == 0.0 ? from_zero : step;
}
WW_INLINE float nextafterf_(float x, float y) {
  const bool away = (x < y) == (x > 0.0f);
  const float step = as_float(to_bits(x) + (away ? 1 : -1));
  const float from_zero = with_sign(0x1p-149f, y);
  return x != x || y != y ? kNanF : x == y ? y : x == 0.0f ? from_zero : step;
}
// Half away from zero: the largest number below a half does not carry what is not yet a half over.
WW_INLINE double round_(double x) { return __builtin_trunc(add(x, with_sign(0x1.fffffffffffffp-2, x))); }
WW_INLINE float roundf_(float x) { return __builtin_truncf(add(x, with_sign(0x1.fffffep-2f, x))); }
// The results of hardware conversions outside the range: the nearest number; for NaN the smallest.
WW_INLINE long long to_long_long(double rounded) {
  return rounded != rounded  ? -9223372036854775807 - 1
         : rounded >= 0x1p63 ? 9223372036854775807
         : rounded < -0x1p63 ? -9223372036854775807 - 1
                             : static_cast<long long>(rounded);
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_ceil(double x) { return __builtin_ceil(x); }
WW_FUNCTION float __nv_ceilf(float x) { return __builtin_ceilf(x); }
WW_FUNCTION double __nv_floor(double x) { return __builtin_floor(x); }
WW_FUNCTION float __nv_floorf(float x) { return __builtin_floorf(x); }
WW_FUNCTION double __nv_trunc(double x) { return __builtin_trunc(x); }
WW_FUNCTION float __nv_truncf(float x) { return __builtin_truncf(x); }
WW_FUNCTION double __nv_rint(double x) { return __builtin_rint(x); }
WW_FUNCTION float __nv_rintf(float x) { return __builtin_rintf(x); }
WW_FUNCTION double __nv_nearbyint(double x) { return __builtin_rint(x); }
WW_FUNCTION float __nv_nearbyintf(float x) { return __builtin_rintf(x); }
WW_FUNCTION double __nv_round(double x) { return warpwise::devicelib::round_(x); }
WW_FUNCTION float __nv_roundf(float x) { return warpwise::devicelib::roundf_(x); }
WW_FUNCTION long long __nv_llrint(double x) { return warpwise::devicelib::to_long_long(__builtin_rint(x)); }
WW_FUNCTION long long __nv_llrintf(float x) { return warpwise::devicelib::to_long_long(__builtin_rintf(x)); }
WW_FUNCTION long long __nv_llround(double x) {
  return warpwise::devicelib::to_long_long(warpwise::devicelib::round_(x));
}
WW_FUNCTION long long __nv_llroundf(float x) {
  return warpwise::devicelib::to_long_long(warpwise::devicelib::roundf_(x));
}
WW_FUNCTION double __nv_fabs(double x) { return __builtin_fabs(x); }
WW_FUNCTION float __nv_fabsf(float x) { return __builtin_fabsf(x); }
WW_FUNCTION double __nv_copysign(double x, double y) { return __builtin_copysign(x, y); }
WW_FUNCTION float __nv_copysignf(float x, float y) { return __builtin_copysignf(x, y); }
WW_FUNCTION double __nv_fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WW_FUNCTION float __nv_fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WW_FUNCTION double __nv_fmax(double x, double y) { return __builtin_fmax(x, y); }
WW_FUNCTION float __nv_fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
WW_FUNCTION double __nv_fmin(double x, double y) { return __builtin_fmin(x, y); }
WW_FUNCTION float __nv_fminf(float x, float y) { return __builtin_fminf(x, y); }
WW_FUNCTION double __nv_fdim(double x, double y) { return x <= y ? 0.0 : warpwise::devicelib::add(x, -y); }
WW_FUNCTION float __nv_fdimf(float x, float y) { return x <= y ? 0.0f : warpwise::devicelib::add(x, -y); }
WW_FUNCTION double __nv_fmod(double x, double y) { return warpwise::devicelib::fmod_(x, y); }
WW_FUNCTION float __nv_fmodf(float x, float y) {
  return static_cast<float>(warpwise::devicelib::fmod_(static_cast<double>(x), static_cast<double>(y)));
}
WW_FUNCTION double __nv_remquo(double x, double y, int* q) { return warpwise::devicelib::remquo_(x, y, q); }
WW_FUNCTION float __nv_remquof(float x, float y, int* q) {
  return static_cast<float>(warpwise::devicelib::remquo_(static_cast<double>(x), static_cast<double>(y), q));
}
WW_FUNCTION double __nv_remainder(double x, double y) {
  int q;
  return warpwise::devicelib::remquo_(x, y, &q);
}
WW_FUNCTION float __nv_remainderf(float x, float y) {
  int q;
  return static_cast<float>(warpwise::devicelib::remquo_(static_cast<double>(x), static_cast<double>(y), &q));
}
WW_FUNCTION double __nv_scalbn(double x, int n) { return warpwise::devicelib::scalbn_(x, n); }
WW_FUNCTION float __nv_scalbnf(float x, int n) { return warpwise::devicelib::scalbnf_(x, n); }
WW_FUNCTION double __nv_ldexp(double x, int n) { return warpwise::devicelib::scalbn_(x, n); }
WW_FUNCTION float __nv_ldexpf(float x, int n) { return warpwise::devicelib::scalbnf_(x, n); }
WW_FUNCTION double __nv_frexp(double x, int* e) { return warpwise::devicelib::frexp_(x, e); }
WW_FUNCTION float __nv_frexpf(float x, int* e) {
  return static_cast<float>(warpwise::devicelib::frexp_(static_cast<double>(x), e));
}
WW_FUNCTION double __nv_modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  const double rest =
      warpwise::devicelib::absolute(x) == warpwise::devicelib::kInfinity ? 0.0 : warpwise::devicelib::add(x, -*whole);
  return x != x ? x : __builtin_copysign(rest, x);
}
WW_FUNCTION float __nv_modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  const float rest =
      warpwise::devicelib::absolute(x) == warpwise::devicelib::kInfinityF ? 0.0f : warpwise::devicelib::add(x, -*whole);
  return x != x ? x : __builtin_copysignf(rest, x);
}
WW_FUNCTION int __nv_ilogb(double x) { return warpwise::devicelib::ilogb_(x); }
WW_FUNCTION int __nv_ilogbf(float x) { return warpwise::devicelib::ilogb_(static_cast<double>(x)); }
WW_FUNCTION double __nv_logb(double x) { return warpwise::devicelib::logb_(x); }
WW_FUNCTION float __nv_logbf(float x) { return static_cast<float>(warpwise::devicelib::logb_(static_cast<double>(x))); }
WW_FUNCTION double __nv_nextafter(double x, double y) { return warpwise::devicelib::nextafter_(x, y); }
WW_FUNCTION float __nv_nextafterf(float x, float y) { return warpwise::devicelib::nextafterf_(x, y); }
WW_FUNCTION double __nv_nan(const signed char*) { return warpwise::devicelib::kNan; }
WW_FUNCTION float __nv_nanf(const signed char*) { return warpwise::devicelib::kNanF; }
WW_FUNCTION int __nv_isnand(double x) { return x != x; }
WW_FUNCTION int __nv_isnanf(float x) { return x != x; }
WW_FUNCTION int __nv_isinfd(double x) { return __builtin_fabs(x) == __builtin_inf(); }
WW_FUNCTION int __nv_isinff(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
WW_FUNCTION int __nv_isfinited(double x) { return __builtin_fabs(x) < __builtin_inf(); }
WW_FUNCTION int __nv_finitef(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
WW_FUNCTION int __nv_signbitd(double x) { return static_cast<int>(warpwise::devicelib::to_bits(x) >> 63); }
WW_FUNCTION int __nv_signbitf(float x) { return static_cast<int>(warpwise::devicelib::to_bits(x) >> 31); }
WW_FUNCTION float __nv_saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
