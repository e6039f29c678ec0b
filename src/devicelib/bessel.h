// The Bessel functions J, Y of integer order and the modified I of order 0 and 1.
//
// Below 8 a table of polynomials, one for each half unit; beyond, Hankel's asymptotic form with P and Q as
// polynomials of 1/x². Other orders by recurrence (Abramowitz and Stegun, 9.1.27): upwards where that is stable,
// else downwards from above (J. C. P. Miller's algorithm).
#pragma once

#include "logarithm.h"
#include "roots.h"
#include "trigonometric.h"

namespace warpwise::devicelib {

// Row of the table that covers x in [0, 8], offset < 1/2.
template <int columns>
WW_INLINE double bessel_row(const double (&table)[17][columns], double x, double offset) {
  const double y = x > 8.0 ? 8.0 : x;
  int i = low_int(add(__builtin_floor(mul(2.0, add(y, -offset))), kRound), 1);
  i = i > 16 ? 16 : i < 0 ? 0 : i;
  const double u = add(add(y, -table[i][0]), -table[i][1]);
  double sum = table[i][columns - 1];
#pragma unroll
  for (int k = columns - 2; k >= 2; --k) sum = fma(sum, u, table[i][k]);
  return sum;
}
// sqrt(1/(π x)) and cos x + sin x, sin x - cos x for x >= 8.
struct Hankel {
  double amplitude, plus, minus, w, inverse;
};
WW_INLINE Hankel hankel(double x) {
  const double y = x < 8.0 ? 8.0 : x;
  const SinCos<double> a = rotate(reduce(y));
  const double inverse = 1.0 / y;
  return {root(mul(inverse, 0x1.45f306dc9c883p-2)), add(a.sine, a.cosine), add(a.sine, -a.cosine),
          mul(inverse, inverse), inverse};
}
WW_INLINE double j0_(double x) {
  const double a = absolute(x);
  const Hankel h = hankel(a);
  const double p = polynomial(h.w, kHankelP0), q = mul(h.inverse, polynomial(h.w, kHankelQ0));
  const double far = mul(h.amplitude, fma(p, h.plus, -mul(q, h.minus)));
  return a == kInfinity ? 0.0 : a < 8.0 ? bessel_row(kBesselJ0, a, 0.2) : far;
}
WW_INLINE double j1_(double x) {
  const double a = absolute(x);
  const Hankel h = hankel(a);
  const double p = polynomial(h.w, kHankelP1), q = mul(h.inverse, polynomial(h.w, kHankelQ1));
  const double far = mul(h.amplitude, fma(p, h.minus, mul(q, h.plus)));
  const double result = a == kInfinity ? 0.0 : a < 8.0 ? bessel_row(kBesselJ1, a, 0.2) : far;
  return x == 0.0 ? x : x < 0.0 ? -result : result;
}
WW_INLINE double y0_(double x) {
  const Hankel h = hankel(x);
  const double p = polynomial(h.w, kHankelP0), q = mul(h.inverse, polynomial(h.w, kHankelQ0));
  const double far = mul(h.amplitude, fma(p, h.minus, mul(q, h.plus)));
  const double y = x < 0.75 ? x : 0.75;
  const double near =
      fma(mul(0x1.45f306dc9c883p-1, log_(y)), bessel_row(kBesselJ0, y, 0.2), polynomial(mul(y, y), kBesselY0Near));
  const double result = x < 0.75 ? near : x < 8.0 ? bessel_row(kBesselY0, x, 0.25) : far;
  return x < 0.0 || x != x ? kNan : x == 0.0 ? -kInfinity : x == kInfinity ? 0.0 : result;
}
WW_INLINE double y1_(double x) {
  const Hankel h = hankel(x);
  const double p = polynomial(h.w, kHankelP1), q = mul(h.inverse, polynomial(h.w, kHankelQ1));
  const double far = mul(h.amplitude, fma(q, h.minus, -mul(p, h.plus)));
  const double y = x < 0.8 ? x : 0.8;
  const double inner = add(mul(log_(y), bessel_row(kBesselJ1, y, 0.2)), -1.0 / y);
  const double near = fma(0x1.45f306dc9c883p-1, inner, mul(y, polynomial(mul(y, y), kBesselY1Near)));
  const double result = x < 0.8 ? near : x < 8.0 ? bessel_row(kBesselY1, x, 0.3) : far;
  return x < 0.0 || x != x ? kNan : x == 0.0 ? -kInfinity : x == kInfinity ? 0.0 : result;
}

// CUDA defines negative orders as NaN.
WW_INLINE double jn_(int n, double x) {
  const double a = absolute(x);
  if (n < 0) return kNan;
  if (n == 0) return j0_(x);
  if (n == 1) return j1_(x);
  if (a == 0.0 || a == kInfinity) return 0.0;
  if (x != x) return x;
  double result;
  if (static_cast<double>(n) <= a) {
    double before = j0_(a), now = j1_(a);
    for (int k = 1; k < n; ++k) {
      const double next = fma(2.0 * k / a, now, -before);
      before = now;
      now = next;
    }
    result = now;
  } else {
    // From an order so high that the start does not matter; normalised by J0 + 2 J2 + 2 J4 + … = 1.
    const int start = 2 * ((n + static_cast<int>(root(160.0 * n)) + 16) / 2);
    double above = 0.0, now = 0x1p-1000, sum = 0.0, wanted = 0.0;
    for (int k = start; k > 0; --k) {
      const double below = fma(2.0 * k / a, now, -above);
      above = now;
      now = below;
      if (absolute(now) > 0x1p500) {
        now = mul(now, 0x1p-600), above = mul(above, 0x1p-600), sum = mul(sum, 0x1p-600),
        wanted = mul(wanted, 0x1p-600);
      }
      if (k - 1 == n) wanted = now;
      if ((k - 1) % 2 == 0 && k > 1) sum = add(sum, mul(2.0, now));
    }
    result = wanted / add(sum, now);
  }
  return x < 0.0 && n % 2 ? -result : result;
}
WW_INLINE double yn_(int n, double x) {
  if (n < 0) return kNan;
  if (n == 0) return y0_(x);
  double before = y0_(x), now = y1_(x);
  if (!(x > 0.0) || x == kInfinity) return now;
  for (int k = 1; k < n && now > -kInfinity; ++k) {
    const double next = fma(2.0 * k / x, now, -before);
    before = now;
    now = next;
  }
  return now;
}

WW_INLINE double i0_(double x) {
  const double a = absolute(x), y = a < 8.0 ? a : 8.0, z = mul(0.25, mul(y, y));
  const double near = fma(z, polynomial(z, kBesselI0), 1.0);
  const double b = a > 8.0 ? (a < 800.0 ? a : 800.0) : 8.0, w = 1.0 / b;
  const double far = mul(mul(exp_pair(b, 0.0, -20), polynomial(w, kBesselI0Far) / root(b)), 0x1p20);
  return x != x ? x : a < 8.0 ? near : far;
}
WW_INLINE double i1_(double x) {
  const double a = absolute(x), y = a < 8.0 ? a : 8.0, z = mul(0.25, mul(y, y)), half = mul(0.5, y);
  const double near = fma(mul(half, z), polynomial(z, kBesselI1), half);
  const double b = a > 8.0 ? (a < 800.0 ? a : 800.0) : 8.0, w = 1.0 / b;
  const double far = mul(mul(exp_pair(b, 0.0, -20), polynomial(w, kBesselI1Far) / root(b)), 0x1p20);
  return x != x ? x : with_sign(a < 8.0 ? near : far, x);
}

}  // namespace warpwise::devicelib

#define WW_BOTH(name, implementation)                                                         \
  WW_FUNCTION double __nv_##name(double x) { return warpwise::devicelib::implementation(x); } \
  WW_FUNCTION float __nv_##name##f(float x) {                                                 \
    return static_cast<float>(warpwise::devicelib::implementation(static_cast<double>(x)));   \
  }
WW_BOTH(j0, j0_)
WW_BOTH(j1, j1_)
WW_BOTH(y0, y0_)
WW_BOTH(y1, y1_)
WW_BOTH(cyl_bessel_i0, i0_)
WW_BOTH(cyl_bessel_i1, i1_)
#undef WW_BOTH
WW_FUNCTION double __nv_jn(int n, double x) { return warpwise::devicelib::jn_(n, x); }
WW_FUNCTION float __nv_jnf(int n, float x) {
  return static_cast<float>(warpwise::devicelib::jn_(n, static_cast<double>(x)));
}
WW_FUNCTION double __nv_yn(int n, double x) { return warpwise::devicelib::yn_(n, x); }
WW_FUNCTION float __nv_ynf(int n, float x) {
  return static_cast<float>(warpwise::devicelib::yn_(n, static_cast<double>(x)));
}
