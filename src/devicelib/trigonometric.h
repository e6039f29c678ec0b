// sin, cos, tan, sincos, and the same functions of π x.
//
// x = q π/2 + r, |r| <= π/4, r in two parts; then one of two polynomials. There are three reductions:
//   float, |x| < 2^15        π/2 in three floats and fused multiply-adds (Cody and Waite 1980)
//   double, |x| < 2^30       the same with three doubles
//   everything beyond        the bits of 2/π that matter, times x as integers (Payne and Hanek, "Radian
//                            Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983)
#pragma once

#include "platform.h"
#include "polynomials.h"

namespace warpwise::devicelib {

template <class T>
struct Reduced {
  T r, low;
  int quadrant;
};

// 2/π in binary: a zero word, then 1280 bits after the point.
WW_TABLE uint64_t kTwoOverPi[21] = {0,
                                    0xa2f9836e4e441529,
                                    0xfc2757d1f534ddc0,
                                    0xdb6295993c439041,
                                    0xfe5163abdebbc561,
                                    0xb7246e3a424dd2e0,
                                    0x06492eea09d1921c,
                                    0xfe1deb1cb129a73e,
                                    0xe88235f52ebb4484,
                                    0xe99c7026b45f7e41,
                                    0x3991d639835339f4,
                                    0x9c845f8bbdf9283b,
                                    0x1ff897ffde05980f,
                                    0xef2f118b5a0a6d1f,
                                    0x6d367ecf27cb09b7,
                                    0x4f463f669e5fea2d,
                                    0x7527bac7ebe5f17b,
                                    0x3d0739f78a5292ea,
                                    0x6bfb5fb11f8d5d08,
                                    0x56033046fc7b6bab,
                                    0xf0cfbc209af4361d};

// For finite x >= 2^30.
WW_INLINE Reduced<double> reduce_huge(double x) {
  const int exponent = static_cast<int>(to_bits(x) >> 52) - 1075;  // x = m 2^exponent, m an integer of 53 bits
  const uint64_t m = (to_bits(x) & 0x000fffffffffffff) | 0x0010000000000000;
  // x 2/π modulo 4: bits of 2/π that m 2^exponent lifts above 4 do not count. 192 bits from there.
  const int first = exponent - 2 + 64;
  const int word = first >> 6, shift = first & 63;
  uint64_t a[3];
#pragma unroll
  for (int i = 0; i < 3; ++i) a[i] = kTwoOverPi[word + i] << shift | (kTwoOverPi[word + i + 1] >> 1) >> (63 - shift);
  // The product's fraction, 128 bits of it.
  const uint64_t carry_in = mul_high(m, a[2]);
  const uint64_t low = m * a[1] + carry_in;
  const uint64_t high = m * a[0] + mul_high(m, a[1]) + (low < carry_in);
  // Two bits of quadrant; the rest rounded to the nearest multiple of π/2, so a signed fraction.
  int quadrant = static_cast<int>(high >> 62);
  const uint64_t fraction = high << 2 | low >> 62, fraction_low = low << 2;
  quadrant += static_cast<int>(fraction >> 63);
  const double d1 = static_cast<double>(static_cast<int32_t>(fraction >> 32)) * 0x1p-32;
  const double d2 = static_cast<double>(static_cast<uint32_t>(fraction)) * 0x1p-64;
  const double d3 = static_cast<double>(static_cast<uint32_t>(fraction_low >> 32)) * 0x1p-96;
  const double d4 = static_cast<double>(static_cast<uint32_t>(fraction_low)) * 0x1p-128;
  const Pair<double> s1 = two_sum(d1, d2), s2 = two_sum(s1.low, d3);
  const Pair<double> f = fast_two_sum(s1.high, s2.high);
  const double f_low = add(f.low, add(s2.low, d4));
  const Pair<double> r = two_product(f.high, 0x1.921fb54442d18p0);
  const Pair<double> result =
      fast_two_sum(r.high, fma(f_low, 0x1.921fb54442d18p0, fma(f.high, 0x1.1a62633145c07p-54, r.low)));
  return {result.high, result.low, quadrant};
}

WW_INLINE Reduced<double> reduce(double x) {
  const double rounded = fma(x, 0x1.45f306dc9c883p-1, kRound);
  const double n = add(rounded, -kRound);
  const double t = fma(n, -0x1.921fb54442d18p0, x);  // exact
  const Pair<double> p = two_product(n, 0x1.1a62633145c07p-54);
  const Pair<double> d = two_sum(t, -p.high);
  const Pair<double> r = fast_two_sum(d.high, fma(n, 0x1.f1976b7ed8fbcp-110, add(d.low, -p.low)));
  Reduced<double> result = {r.high, r.low, low_int(rounded)};
  if (__builtin_expect(absolute(x) >= 0x1p30, 0)) {
    if (absolute(x) < kInfinity) {
      const Reduced<double> huge = reduce_huge(absolute(x));
      const bool negative = x < 0;
      result = {negative ? -huge.r : huge.r, negative ? -huge.low : huge.low,
                negative ? -huge.quadrant : huge.quadrant};
    } else {
      result = {kNan, kNan, 0};
    }
  }
  return result;
}
WW_INLINE Reduced<float> reduce(float x) {
  const float rounded = fma(x, 0x1.45f306p-1f, kRoundF);
  const float n = add(rounded, -kRoundF);
  const float t = fma(n, -0x1.921fb6p0f, x);
  const float r = fma(n, 0x1.ee59dap-50f, fma(n, 0x1.777a5cp-25f, t));
  Reduced<float> result = {r, 0.0f, low_int(rounded)};
  if (__builtin_expect(!(absolute(x) < 0x1p15f), 0)) {
    const Reduced<double> d = reduce(static_cast<double>(x));
    result = {static_cast<float>(d.r), 0.0f, d.quadrant};
  }
  return result;
}

// sin and cos of r + low, |r| <= π/4.
WW_INLINE double sin_kernel(double r, double low) {
  const double z = mul(r, r);
  return add(r, fma(mul(r, z), polynomial(z, kSin), fma(mul(-0.5, z), low, low)));
}
WW_INLINE double cos_kernel(double r, double low) {
  const double z = mul(r, r), half = mul(0.5, z), w = add(1.0, -half);
  return add(w, add(add(add(1.0, -w), -half), fma(mul(z, z), polynomial(z, kCos), -mul(r, low))));
}
WW_INLINE float sin_kernel(float r, float low) {
  const float z = mul(r, r);
  return add(r, fma(mul(r, z), polynomial(z, kSinF), low));
}
WW_INLINE float cos_kernel(float r, float low) {
  const float z = mul(r, r), half = mul(0.5f, z), w = add(1.0f, -half);
  return add(w, add(add(add(1.0f, -w), -half), fma(mul(z, z), polynomial(z, kCosF), -mul(r, low))));
}

template <class T>
struct SinCos {
  T sine, cosine;
};
template <class T>
WW_INLINE SinCos<T> rotate(const Reduced<T>& a) {
  const T s = sin_kernel(a.r, a.low), c = cos_kernel(a.r, a.low);
  const T sine = a.quadrant & 1 ? c : s, cosine = a.quadrant & 1 ? s : c;
  return {a.quadrant & 2 ? -sine : sine, (a.quadrant + 1) & 2 ? -cosine : cosine};
}

template <class T>
WW_INLINE T sin_(T x) {
  const T result = rotate(reduce(x)).sine;
  return x == T(0) ? x : result;  // -0
}
template <class T>
WW_INLINE T cos_(T x) {
  return rotate(reduce(x)).cosine;
}
template <class T>
WW_INLINE T tan_(T x) {
  const Reduced<T> a = reduce(x);
  const T s = sin_kernel(a.r, a.low), c = cos_kernel(a.r, a.low);
  const T result = (a.quadrant & 1 ? -c : s) / (a.quadrant & 1 ? s : c);
  return x == T(0) ? x : result;
}

// π x = q π/2 + π r, with q and r exact. From 2^53 (2^24) on all numbers are even, as good as zero; 2 x might overflow.
WW_INLINE Reduced<double> reduce_pi(double x) {
  x = absolute(x) < 0x1p53 ? x : mul(x, 0.0);
  const double n = __builtin_rint(mul(2.0, x));
  const double r = fma(-0.5, n, x);
  const double t = mul(r, 0x1.921fb54442d18p1);
  const double modulo4 = fma(-4.0, __builtin_floor(mul(n, 0.25)), n);
  return {t, fma(r, 0x1.1a62633145c07p-53, fma(r, 0x1.921fb54442d18p1, -t)), low_int(add(modulo4, kRound))};
}
WW_INLINE Reduced<float> reduce_pi(float x) {
  x = absolute(x) < 0x1p24f ? x : mul(x, 0.0f);
  const float n = __builtin_rintf(mul(2.0f, x));
  const float r = fma(-0.5f, n, x);
  const float t = mul(r, 0x1.921fb6p1f);
  const float modulo4 = fma(-4.0f, __builtin_floorf(mul(n, 0.25f)), n);
  return {t, fma(r, -0x1.777a5cp-24f, fma(r, 0x1.921fb6p1f, -t)), low_int(add(modulo4, kRoundF))};
}
// Zero, exactly, at integers; with the sign of x.
template <class T>
WW_INLINE T sinpi_(T x) {
  const T result = add(rotate(reduce_pi(absolute(x))).sine, T(0));
  return x < T(0) ? -result : x == T(0) ? x : result;
}
template <class T>
WW_INLINE T cospi_(T x) {
  return add(rotate(reduce_pi(absolute(x))).cosine, T(0));
}

}  // namespace warpwise::devicelib

WW_FUNCTION double __nv_sin(double x) { return warpwise::devicelib::sin_(x); }
WW_FUNCTION float __nv_sinf(float x) { return warpwise::devicelib::sin_(x); }
WW_FUNCTION double __nv_cos(double x) { return warpwise::devicelib::cos_(x); }
WW_FUNCTION float __nv_cosf(float x) { return warpwise::devicelib::cos_(x); }
WW_FUNCTION double __nv_tan(double x) { return warpwise::devicelib::tan_(x); }
WW_FUNCTION float __nv_tanf(float x) { return warpwise::devicelib::tan_(x); }
WW_FUNCTION double __nv_sinpi(double x) { return warpwise::devicelib::sinpi_(x); }
WW_FUNCTION float __nv_sinpif(float x) { return warpwise::devicelib::sinpi_(x); }
WW_FUNCTION double __nv_cospi(double x) { return warpwise::devicelib::cospi_(x); }
WW_FUNCTION float __nv_cospif(float x) { return warpwise::devicelib::cospi_(x); }
WW_FUNCTION void __nv_sincos(double x, double* s, double* c) {
  const auto both = warpwise::devicelib::rotate(warpwise::devicelib::reduce(x));
  *s = x == 0 ? x : both.sine;
  *c = both.cosine;
}
WW_FUNCTION void __nv_sincosf(float x, float* s, float* c) {
  const auto both = warpwise::devicelib::rotate(warpwise::devicelib::reduce(x));
  *s = x == 0 ? x : both.sine;
  *c = both.cosine;
}
WW_FUNCTION void __nv_sincospi(double x, double* s, double* c) {
  *s = warpwise::devicelib::sinpi_(x);
  *c = warpwise::devicelib::cospi_(x);
}
WW_FUNCTION void __nv_sincospif(float x, float* s, float* c) {
  *s = warpwise::devicelib::sinpi_(x);
  *c = warpwise::devicelib::cospi_(x);
}
