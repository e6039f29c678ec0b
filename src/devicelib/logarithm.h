// log, log2, log10, log1p, and pow.
//
// x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m-1)/(m+1), as a polynomial in s². The order of
// the additions, in which the rounding of s hardly matters, is that of K. C. Ng's e_log.c in fdlibm (Sun Microsystems,
// 1993). log2, log10 and pow need more than a double's precision of log m: log_pair.
#pragma once

#include "exponential.h"

namespace warpwise::devicelib {

// ln 2 with 11 zero bits at the end, so that e ln2 is exact, and the rest.
constexpr double kLn2Short = 0x1.62e42fefa3800p-1, kLn2ShortLow = 0x1.ef35793c76730p-45;

struct Mantissa {
  double m;
  double e;
};
struct MantissaF {
  float m;
  float e;
};

// m in [sqrt(1/2), sqrt(2)) and e as a number; for positive finite x.
WW_INLINE Mantissa split(double x) {
  const bool tiny = x < 0x1p-1022;
  x = tiny ? mul(x, 0x1p54) : x;
  const int64_t bits = static_cast<int64_t>(to_bits(x) - to_bits(0x1.6a09e667f3bcdp-1));
  const int64_t e = bits >> 52;
  const double m = as_double(to_bits(x) - (static_cast<uint64_t>(e) << 52));
  return {m, static_cast<double>(static_cast<int>(e) - (tiny ? 54 : 0))};
}
WW_INLINE MantissaF split(float x) {
  const bool tiny = x < 0x1p-126f;
  x = tiny ? mul(x, 0x1p25f) : x;
  const int e = static_cast<int>(to_bits(x) - to_bits(0x1.6a09e6p-1f)) >> 23;
  const float m = as_float(to_bits(x) - (static_cast<uint32_t>(e) << 23));
  return {m, static_cast<float>(e - (tiny ? 25 : 0))};
}

// The result of every logarithm for 0, negative numbers, infinity and NaN.
template <class T>
WW_INLINE T log_special(T x, T result) {
  result = x == T(__builtin_inf()) ? x : result;
  result = x == T(0) ? T(-__builtin_inf()) : result;
  return x < T(0) || x != x ? T(__builtin_nan("")) : result;
}

// log(2^e (1 + f) + low 2^e) where low is tiny.
WW_INLINE double log_parts(double f, double e, double correction) {
  const double s = f / add(2.0, f);
  const double z = mul(s, s);
  const double half_square = mul(0.5, mul(f, f));
  const double rest = mul(z, polynomial(z, kLog));
  const double low = fma(e, kLn2ShortLow, correction);
  return add(mul(e, kLn2Short), -add(add(half_square, -fma(s, add(half_square, rest), low)), -f));
}

WW_INLINE double log_(double x) {
  const Mantissa a = split(x);
  return log_special(x, log_parts(add(a.m, -1.0), a.e, 0.0));
}
WW_INLINE double log1p_(double x) {
  const Pair<double> u = two_sum(1.0, x);
  const Mantissa a = split(u.high);
  // What was rounded off 1 + x, relative to it: log(u + d) = log u + d/u.
  const double result = log_parts(add(a.m, -1.0), a.e, u.low / u.high);
  const double special = log_special(add(1.0, x), result);
  return absolute(x) < 0x1p-54 ? x : special;
}

// log m in two parts, relative error below 2^-65; f = m - 1.
WW_INLINE Pair<double> log_pair(double f) {
  const Pair<double> d = fast_two_sum(2.0, f);
  const double s = f / d.high;
  const double s_low = fma(-s, d.low, fma(-s, d.high, f)) / d.high;
  const Pair<double> zz = two_product(s, s);
  const double z_low = fma(mul(2.0, s), s_low, zz.low);
  // log m = 2 s + s z (2/3 + z P(z)); the sum in parentheses and its products keep a low part.
  const double p = mul(zz.high, polynomial(zz.high, kLogExact));
  const Pair<double> q = fast_two_sum(0x1.5555555555555p-1, p);
  const double q_low = add(q.low, 0x1.5555555555555p-55);
  const Pair<double> zq = two_product(zz.high, q.high);
  const double zq_low = fma(zz.high, q_low, fma(z_low, q.high, zq.low));
  const Pair<double> c = fast_two_sum(2.0, zq.high);
  const double c_low = add(c.low, zq_low);
  const Pair<double> r = two_product(s, c.high);
  return fast_two_sum(r.high, fma(s, c_low, fma(s_low, c.high, r.low)));
}

WW_INLINE double log2_(double x) {
  const Mantissa a = split(x);
  const Pair<double> l = log_pair(add(a.m, -1.0));
  const Pair<double> p = two_product(l.high, kLog2E);
  const double low = fma(l.low, kLog2E, fma(l.high, kLog2ELow, p.low));
  const Pair<double> sum = two_sum(a.e, p.high);
  return log_special(x, add(sum.high, add(sum.low, low)));
}
WW_INLINE double log10_(double x) {
  const Mantissa a = split(x);
  const Pair<double> l = log_pair(add(a.m, -1.0));
  const Pair<double> p = two_product(l.high, 0x1.bcb7b1526e50ep-2);  // 1 / ln 10
  const double low = fma(l.low, 0x1.bcb7b1526e50ep-2, fma(l.high, 0x1.95355baaafad3p-57, p.low));
  const Pair<double> sum = two_sum(mul(a.e, 0x1.34413509f7000p-2), p.high);  // log10 2, short
  return log_special(x, add(sum.high, add(sum.low, fma(a.e, 0x1.3fde623e2566bp-43, low))));
}

WW_INLINE float logf_(float x) {
  const MantissaF a = split(x);
  const float f = add(a.m, -1.0f);
  const float rest = mul(mul(f, f), fma(f, polynomial(f, kLogF), -0.5f));
  const float high = mul(a.e, 0x1.62e4p-1f);
  const Pair<float> sum = a.e == 0.0f ? Pair<float>{f, 0.0f} : fast_two_sum(high, f);
  return log_special(x, add(sum.high, add(sum.low, fma(a.e, 0x1.7f7d1cp-20f, rest))));
}

// For the float functions a double's logarithm and exponential are exact enough with half the terms, and make
// the result correct to a hair over half an ulp.
WW_INLINE double log_for_float(float x) {
  const Mantissa a = split(static_cast<double>(x));
  const double f = add(a.m, -1.0), s = f / add(2.0, f), z = mul(s, s);
  const double p = fma(z, polynomial(z, kLogMid), 2.0);
  return fma(a.e, kLn2, mul(s, p));
}
WW_INLINE float log2f_(float x) { return log_special(x, static_cast<float>(mul(log_for_float(x), kLog2E))); }
WW_INLINE float log10f_(float x) {
  return log_special(x, static_cast<float>(mul(log_for_float(x), 0x1.bcb7b1526e50ep-2)));
}
WW_INLINE float log1pf_(float x) { return static_cast<float>(log1p_(static_cast<double>(x))); }

// --- pow --------------------------------------------------------------------------------------------
// ISO C, annex F, 10.4.4: what pow answers when logarithms do not.
template <class T>
WW_INLINE T pow_special(T x, T y, T magnitude) {
  const T ax = absolute(x), infinity = T(__builtin_inf());
  const T half = mul(y, T(0.5));
  const bool integer = y == __builtin_trunc(y);
  const bool odd = integer && half != __builtin_trunc(half);
  T result = magnitude;
  const bool grows = (ax > T(1)) == (y > T(0));
  result = absolute(y) == infinity || ax == infinity || ax == T(0) ? (grows ? infinity : T(0)) : result;
  result = odd ? with_sign(result, x) : result;
  result = x < T(0) && ax != infinity && !integer ? T(__builtin_nan("")) : result;
  result = ax == T(1) && absolute(y) == infinity ? T(1) : result;
  result = x != x || y != y ? T(__builtin_nan("")) : result;
  return x == T(1) || y == T(0) ? T(1) : result;
}

WW_INLINE double pow_(double x, double y) {
  const Mantissa a = split(absolute(x));
  const Pair<double> l = log_pair(add(a.m, -1.0));
  // log|x| = e ln2 + log m in two parts.
  const Pair<double> sum = two_sum(mul(a.e, kLn2Short), l.high);
  const double low = add(sum.low, fma(a.e, kLn2ShortLow, l.low));
  const Pair<double> ln = fast_two_sum(sum.high, low);
  // y log|x|, clamped: beyond, the result is 0 or infinity, and products of huge y would be NaN.
  const double yc = clamp(y, -0x1p80, 0x1p80);
  const Pair<double> p = two_product(yc, ln.high);
  const double p_low = fma(yc, ln.low, p.low);
  const bool beyond = absolute(p.high) > 800.0;
  const double magnitude = exp_pair(clamp(p.high, -800.0, 800.0), beyond ? 0.0 : p_low);
  return pow_special(x, y, magnitude);
}
WW_INLINE float powf_(float x, float y) {
  const double p = clamp(mul(static_cast<double>(y), log_for_float(absolute(x))), -300.0, 300.0);
  const double rounded = fma(p, kLog2E, kRound);
  const double r = fma(add(rounded, -kRound), -kLn2, p);
  const double e = add(1.0, fma(mul(r, r), polynomial(r, kExpMid), r));
  return pow_special(x, y, static_cast<float>(scale(e, low_int(rounded))));
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_log(double x) { return warpwise::devicelib::log_(x); }
WW_FUNCTION float __nv_logf(float x) { return warpwise::devicelib::logf_(x); }
WW_FUNCTION double __nv_log2(double x) { return warpwise::devicelib::log2_(x); }
WW_FUNCTION float __nv_log2f(float x) { return warpwise::devicelib::log2f_(x); }
WW_FUNCTION double __nv_log10(double x) { return warpwise::devicelib::log10_(x); }
WW_FUNCTION float __nv_log10f(float x) { return warpwise::devicelib::log10f_(x); }
WW_FUNCTION double __nv_log1p(double x) { return warpwise::devicelib::log1p_(x); }
WW_FUNCTION float __nv_log1pf(float x) { return warpwise::devicelib::log1pf_(x); }
WW_FUNCTION double __nv_pow(double x, double y) { return warpwise::devicelib::pow_(x, y); }
WW_FUNCTION float __nv_powf(float x, float y) { return warpwise::devicelib::powf_(x, y); }
WW_FUNCTION double __nv_powi(double x, int n) { return warpwise::devicelib::pow_(x, static_cast<double>(n)); }
WW_FUNCTION float __nv_powif(float x, int n) {
  // A float cannot hold every int, so the exponent goes in as a double.
  return static_cast<float>(warpwise::devicelib::pow_(static_cast<double>(x), static_cast<double>(n)));
}
