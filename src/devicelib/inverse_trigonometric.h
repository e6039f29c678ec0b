// asin, acos, atan, atan2.
//
// atan of a quotient a/b: below tan(π/8) as it is, up to tan(3π/8) as π/4 + atan((a-b)/(a+b)), above as
// π/2 - atan(b/a), so that one division and one polynomial do for all. asin beyond 1/2 through
// asin x = π/2 - 2 asin(sqrt((1-x)/2)).
#pragma once

#include "platform.h"
#include "polynomials.h"

namespace warpwise::devicelib {

WW_INLINE double atan_polynomial(double z) { return polynomial(z, kAtan); }
WW_INLINE float atan_polynomial(float z) { return polynomial(z, kAtanF); }
WW_INLINE double asin_polynomial(double z) { return polynomial(z, kAsin); }
WW_INLINE float asin_polynomial(float z) { return polynomial(z, kAsinF); }

template <class T>
struct Pi;
template <>
struct Pi<double> {
  static constexpr double half = 0x1.921fb54442d18p0, half_low = 0x1.1a62633145c07p-54;
  static constexpr double quarter = 0x1.921fb54442d18p-1, quarter_low = 0x1.1a62633145c07p-55;
  static constexpr double whole = 0x1.921fb54442d18p1, whole_low = 0x1.1a62633145c07p-53;
};
template <>
struct Pi<float> {
  static constexpr float half = 0x1.921fb6p0f, half_low = -0x1.777a5cp-25f;
  static constexpr float quarter = 0x1.921fb6p-1f, quarter_low = -0x1.777a5cp-26f;
  static constexpr float whole = 0x1.921fb6p1f, whole_low = -0x1.777a5cp-24f;
};

// atan(a/b) for a, b >= 0 as high + low.
template <class T>
WW_INLINE Pair<T> atan_quotient(T a, T b) {
  constexpr T tan_3pi8 = T(2.414213562373095), tan_pi8 = T(0.4142135623730951);
  const bool steep = a > mul(b, tan_3pi8), middle = a > mul(b, tan_pi8);
  const T numerator = steep ? -b : middle ? add(a, -b) : a;
  const T denominator = steep ? a : middle ? add(a, b) : b;
  const T base = steep ? Pi<T>::half : middle ? Pi<T>::quarter : T(0);
  const T base_low = steep ? Pi<T>::half_low : middle ? Pi<T>::quarter_low : T(0);
  const T q = numerator / denominator;
  const T z = mul(q, q);
  const T rest = fma(mul(q, z), atan_polynomial(z), base_low);
  const Pair<T> sum = base == T(0) ? Pair<T>{q, T(0)} : fast_two_sum(base, q);
  return {sum.high, add(sum.low, rest)};
}
template <class T>
WW_INLINE T atan_(T x) {
  const T a = absolute(x);
  const Pair<T> r = atan_quotient(a, T(1));
  const T result = a == T(__builtin_inf()) ? Pi<T>::half : add(r.high, r.low);
  return with_sign(result, x);
}
template <class T>
WW_INLINE T atan2_(T y, T x, T small, T big) {
  const T infinity = T(__builtin_inf());
  T a = absolute(y), b = absolute(x);
  // Away from overflow of a + b, and from quotients of subnormal numbers.
  const bool infinite_a = a == infinity, infinite_b = b == infinity;
  const T largest = a > b ? a : b;
  const T factor = largest > big ? T(0.25) : largest < small ? T(1) / small : T(1);
  a = infinite_a || infinite_b ? (infinite_a ? T(1) : T(0)) : mul(a, factor);
  b = infinite_a || infinite_b ? (infinite_b ? T(1) : T(0)) : mul(b, factor);
  b = a == T(0) && b == T(0) ? T(1) : b;
  const Pair<T> r = atan_quotient(a, b);
  const bool left = __builtin_signbit(x);
  const Pair<T> turned = fast_two_sum(Pi<T>::whole, -r.high);
  const T result = left ? add(turned.high, add(turned.low, add(Pi<T>::whole_low, -r.low))) : add(r.high, r.low);
  return x != x || y != y ? T(__builtin_nan("")) : with_sign(result, y);
}

template <class T>
WW_INLINE T asin_(T x) {
  const T a = absolute(x);
  const bool outer = a > T(0.5);
  const T z = outer ? mul(T(0.5), add(T(1), -a)) : mul(a, a);
  const T s = outer ? root(z) : a;
  const T p = mul(z, asin_polynomial(z));
  const T inner = fma(s, p, s);
  // π/2 - 2 (s + s_low)(1 + p), s_low the rounding error of the square root.
  const T s_low = s == T(0) ? T(0) : fma(-s, s, z) / add(s, s);
  const Pair<T> d = fast_two_sum(Pi<T>::half, mul(T(-2), s));
  const T from_end = add(d.high, add(d.low, fma(T(-2), fma(s, p, s_low), Pi<T>::half_low)));
  return with_sign(outer ? from_end : inner, x);
}
template <class T>
WW_INLINE T acos_(T x) {
  const T a = absolute(x);
  const bool outer = a > T(0.5);
  const T z = outer ? mul(T(0.5), add(T(1), -a)) : mul(x, x);
  const T s = outer ? root(z) : x;
  const T p = mul(z, asin_polynomial(z));
  const T s_low = outer && s != T(0) ? fma(-s, s, z) / add(s, s) : T(0);
  // x > 1/2: 2 asin s;  x < -1/2: π - 2 asin s;  else π/2 - asin x.
  const T base = outer ? (x < T(0) ? Pi<T>::whole : T(0)) : Pi<T>::half;
  const T base_low = outer ? (x < T(0) ? Pi<T>::whole_low : T(0)) : Pi<T>::half_low;
  const T factor = outer ? (x < T(0) ? T(-2) : T(2)) : T(-1);
  const T leading = mul(factor, s);
  const Pair<T> d = base == T(0) ? Pair<T>{leading, T(0)} : fast_two_sum(base, leading);
  return add(d.high, add(d.low, fma(factor, fma(s, p, s_low), base_low)));
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_asin(double x) { return warpwise::devicelib::asin_(x); }
WW_FUNCTION float __nv_asinf(float x) { return warpwise::devicelib::asin_(x); }
WW_FUNCTION double __nv_acos(double x) { return warpwise::devicelib::acos_(x); }
WW_FUNCTION float __nv_acosf(float x) { return warpwise::devicelib::acos_(x); }
WW_FUNCTION double __nv_atan(double x) { return warpwise::devicelib::atan_(x); }
WW_FUNCTION float __nv_atanf(float x) { return warpwise::devicelib::atan_(x); }
WW_FUNCTION double __nv_atan2(double y, double x) { return warpwise::devicelib::atan2_(y, x, 0x1p-900, 0x1p1000); }
WW_FUNCTION float __nv_atan2f(float y, float x) { return warpwise::devicelib::atan2_(y, x, 0x1p-90f, 0x1p120f); }
