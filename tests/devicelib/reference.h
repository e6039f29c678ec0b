// The reference for the device library: MPFR, in 160 bits or more.
//
// CUDA's own functions that MPFR lacks are defined here.
#pragma once

#include <mpfr.h>

namespace warpwise::devicelib::test {

constexpr int kPrecision = 200;

// A number of MPFR that frees itself.
struct Big {
  mpfr_t v;
  explicit Big(int precision = kPrecision) { mpfr_init2(v, precision); }
  explicit Big(double x, int precision = kPrecision) { mpfr_init2(v, precision), mpfr_set_d(v, x, MPFR_RNDN); }
  Big(const Big&) = delete;
  Big& operator=(const Big&) = delete;
  ~Big() { mpfr_clear(v); }
};

using Reference1 = void (*)(mpfr_ptr result, mpfr_srcptr x);
using Reference2 = void (*)(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y);

inline void rsqrt(mpfr_ptr r, mpfr_srcptr x) { mpfr_rec_sqrt(r, x, MPFR_RNDN); }
inline void rcbrt(mpfr_ptr r, mpfr_srcptr x) { mpfr_cbrt(r, x, MPFR_RNDN), mpfr_ui_div(r, 1, r, MPFR_RNDN); }
inline void rhypot(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) {
  mpfr_hypot(r, x, y, MPFR_RNDN), mpfr_ui_div(r, 1, r, MPFR_RNDN);
}
// f(π x), with enough digits for the reduction of x by whole turns, which is exact in doubles.
template <auto f>
void of_pi(mpfr_ptr r, mpfr_srcptr x) {
  Big pi(1300), turns(1300);
  mpfr_const_pi(pi.v, MPFR_RNDN);
  mpfr_fmod_ui(turns.v, x, 2, MPFR_RNDN);
  mpfr_mul(turns.v, turns.v, pi.v, MPFR_RNDN);
  f(r, turns.v, MPFR_RNDN);
}
// sin and cos of multiples of π/2 are zero exactly.
inline void sinpi(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_integer_p(x))
    mpfr_set_zero(r, mpfr_signbit(x) ? -1 : 1);
  else
    of_pi<mpfr_sin>(r, x);
}
inline void cospi(mpfr_ptr r, mpfr_srcptr x) {
  Big twice;
  mpfr_mul_2ui(twice.v, x, 1, MPFR_RNDN);
  if (mpfr_integer_p(twice.v) && !mpfr_integer_p(x))
    mpfr_set_zero(r, 1);
  else
    of_pi<mpfr_cos>(r, x);
}
inline void erfcx(mpfr_ptr r, mpfr_srcptr x) {
  if (mpfr_cmp_ui(x, 1000) > 0) {  // 1/(x √π) (1 - 1/(2x²) + 3/(4x⁴) - 15/(8x⁶) …)
    Big w, sum(1.0), term(1.0), root_pi;
    mpfr_sqr(w.v, x, MPFR_RNDN), mpfr_mul_2ui(w.v, w.v, 1, MPFR_RNDN);
    for (long k = 1; k < 30; k += 2) {
      mpfr_mul_si(term.v, term.v, -k, MPFR_RNDN), mpfr_div(term.v, term.v, w.v, MPFR_RNDN);
      mpfr_add(sum.v, sum.v, term.v, MPFR_RNDN);
    }
    mpfr_const_pi(root_pi.v, MPFR_RNDN), mpfr_sqrt(root_pi.v, root_pi.v, MPFR_RNDN);
    mpfr_div(r, sum.v, x, MPFR_RNDN), mpfr_div(r, r, root_pi.v, MPFR_RNDN);
    return;
  }
  Big square(400), e(400);
  mpfr_sqr(square.v, x, MPFR_RNDN), mpfr_exp(square.v, square.v, MPFR_RNDN);
  mpfr_erfc(e.v, x, MPFR_RNDN), mpfr_mul(r, square.v, e.v, MPFR_RNDN);
}
inline void normcdf(mpfr_ptr r, mpfr_srcptr x) {
  Big half(0.5, 400), z(400);
  mpfr_sqrt(half.v, half.v, MPFR_RNDN), mpfr_mul(z.v, x, half.v, MPFR_RNDN), mpfr_neg(z.v, z.v, MPFR_RNDN);
  mpfr_erfc(r, z.v, MPFR_RNDN), mpfr_div_2ui(r, r, 1, MPFR_RNDN);
}
// The root of f(x) = y by Newton from a double's worth of precision; derivative ±2/√π e^(-x²).
template <auto f, bool falling>
void invert(mpfr_ptr r, mpfr_srcptr y, double start) {
  Big x(start, 300), value(300), slope(300), root_pi(300);
  mpfr_const_pi(root_pi.v, MPFR_RNDN), mpfr_sqrt(root_pi.v, root_pi.v, MPFR_RNDN);
  for (int i = 0; i < 60; ++i) {
    f(value.v, x.v, MPFR_RNDN);
    mpfr_sub(value.v, value.v, y, MPFR_RNDN);
    mpfr_sqr(slope.v, x.v, MPFR_RNDN), mpfr_exp(slope.v, slope.v, MPFR_RNDN);
    mpfr_mul(value.v, value.v, slope.v, MPFR_RNDN), mpfr_mul(value.v, value.v, root_pi.v, MPFR_RNDN);
    mpfr_div_2ui(value.v, value.v, 1, MPFR_RNDN);  // the Newton step
    if (falling) mpfr_neg(value.v, value.v, MPFR_RNDN);
    // Halley: step / (1 + x step).
    mpfr_mul(slope.v, value.v, x.v, MPFR_RNDN), mpfr_add_ui(slope.v, slope.v, 1, MPFR_RNDN);
    mpfr_div(value.v, value.v, slope.v, MPFR_RNDN);
    mpfr_sub(x.v, x.v, value.v, MPFR_RNDN);
    if (mpfr_zero_p(value.v) || mpfr_get_exp(value.v) < mpfr_get_exp(x.v) - 180) break;
  }
  mpfr_set(r, x.v, MPFR_RNDN);
}
inline void erfinv(mpfr_ptr r, mpfr_srcptr y) {
  const double a = mpfr_get_d(y, MPFR_RNDN);
  if (a == 1 || a == -1 || a == 0) return a == 0 ? mpfr_set_zero(r, 1) : mpfr_set_inf(r, a > 0 ? 1 : -1);
  const double l = __builtin_log1p(-a * a), b = 2 / (3.14159265358979 * 0.147) + l / 2;
  invert<mpfr_erf, false>(r, y, __builtin_copysign(__builtin_sqrt(__builtin_sqrt(b * b - l / 0.147) - b), a));
}
inline void erfcinv(mpfr_ptr r, mpfr_srcptr y) {
  const double p = mpfr_get_d(y, MPFR_RNDN);
  if (p == 0 || p == 2 || p == 1) return p == 1 ? mpfr_set_zero(r, 1) : mpfr_set_inf(r, p == 0 ? 1 : -1);
  const double small = p < 1 ? p : 2 - p;
  const double l = __builtin_log(small) + __builtin_log(2 - small), b = 2 / (3.14159265358979 * 0.147) + l / 2;
  double x = __builtin_sqrt(__builtin_sqrt(b * b - l / 0.147) - b);
  for (int i = 0; small < 1e-8 && i < 4; ++i)
    x = __builtin_sqrt(-__builtin_log(small) - __builtin_log(x * 1.7724538509));
  invert<mpfr_erfc, true>(r, y, p < 1 ? x : -x);
}
inline void normcdfinv(mpfr_ptr r, mpfr_srcptr p) {
  Big twice(300), root(2.0, 300);
  mpfr_mul_2ui(twice.v, p, 1, MPFR_RNDN), mpfr_sqrt(root.v, root.v, MPFR_RNDN);
  erfcinv(r, twice.v), mpfr_mul(r, r, root.v, MPFR_RNDN), mpfr_neg(r, r, MPFR_RNDN);
}
inline void lgamma(mpfr_ptr r, mpfr_srcptr x) {
  int sign;
  mpfr_lgamma(r, &sign, x, MPFR_RNDN);
}
// Σ (x/2)^(2k+n) / (k! (k+n)!)
template <int n>
void bessel_i(mpfr_ptr r, mpfr_srcptr x) {
  Big term(3000), square(3000), sum(3000);
  mpfr_div_2ui(term.v, x, 1, MPFR_RNDN), mpfr_sqr(square.v, term.v, MPFR_RNDN);
  if (n == 0) mpfr_set_ui(term.v, 1, MPFR_RNDN);
  mpfr_set(sum.v, term.v, MPFR_RNDN);
  for (unsigned long k = 1; k < 4000 && !mpfr_zero_p(term.v); ++k) {
    mpfr_mul(term.v, term.v, square.v, MPFR_RNDN), mpfr_div_ui(term.v, term.v, k, MPFR_RNDN);
    mpfr_div_ui(term.v, term.v, k + n, MPFR_RNDN), mpfr_add(sum.v, sum.v, term.v, MPFR_RNDN);
    if (mpfr_get_exp(term.v) < mpfr_get_exp(sum.v) - 200) break;
  }
  mpfr_set(r, sum.v, MPFR_RNDN);
}
#define WW_PLAIN1(name) \
  inline void name(mpfr_ptr r, mpfr_srcptr x) { mpfr_##name(r, x, MPFR_RNDN); }
// clang-format off
WW_PLAIN1(sin) WW_PLAIN1(cos) WW_PLAIN1(tan) WW_PLAIN1(asin) WW_PLAIN1(acos) WW_PLAIN1(atan) WW_PLAIN1(sinh)
WW_PLAIN1(cosh) WW_PLAIN1(tanh) WW_PLAIN1(asinh) WW_PLAIN1(acosh) WW_PLAIN1(atanh) WW_PLAIN1(exp) WW_PLAIN1(exp2)
WW_PLAIN1(exp10) WW_PLAIN1(expm1) WW_PLAIN1(log) WW_PLAIN1(log2) WW_PLAIN1(log10) WW_PLAIN1(log1p) WW_PLAIN1(sqrt)
WW_PLAIN1(cbrt) WW_PLAIN1(erf) WW_PLAIN1(erfc) WW_PLAIN1(j0) WW_PLAIN1(j1) WW_PLAIN1(y0) WW_PLAIN1(y1)
    // clang-format on
    inline void tgamma(mpfr_ptr r, mpfr_srcptr x) {
  mpfr_gamma(r, x, MPFR_RNDN);
}
#define WW_PLAIN2(name) \
  inline void name(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { mpfr_##name(r, x, y, MPFR_RNDN); }
WW_PLAIN2(pow) WW_PLAIN2(atan2) WW_PLAIN2(hypot) WW_PLAIN2(fmod) WW_PLAIN2(remainder) WW_PLAIN2(dim)
#undef WW_PLAIN1
#undef WW_PLAIN2

}  // namespace warpwise::devicelib::test
