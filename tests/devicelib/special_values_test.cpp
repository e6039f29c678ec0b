// The results of the functions for zeros, infinities and NaN (ISO C, annex F), and the exact functions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "library.h"

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

// Equal, with the sign of zero; or both NaN.
void same(const char* what, double got, double expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << what << " is " << got;
  else
    EXPECT_TRUE(got == expected && std::signbit(got) == std::signbit(expected))
        << what << " is " << got << ", not " << expected;
}
#define SAME(got, expected) same(#got, got, expected)

TEST(SpecialValues, NanGoesThrough) {
#define ACCURACY1(name, bound, bound_float, low, high) \
  SAME(__nv_##name(kNaN), kNaN);                       \
  SAME(__nv_##name##f(std::nanf("")), kNaN);
#define ACCURACY2(name, bound, bound_float, low, high)
#include "accuracy.inc"
#undef ACCURACY1
#undef ACCURACY2
}

TEST(SpecialValues, OddFunctionsKeepTheSignOfZero){
#define ODD(name)                    \
  SAME(__nv_##name(0.0), 0.0);       \
  SAME(__nv_##name(-0.0), -0.0);     \
  SAME(__nv_##name##f(-0.0f), -0.0); \
  SAME(__nv_##name##f(0.0f), 0.0);
    ODD(sin) ODD(tan) ODD(asin) ODD(atan) ODD(sinh) ODD(tanh) ODD(asinh) ODD(atanh) ODD(sinpi) ODD(cbrt) ODD(expm1)
        ODD(log1p) ODD(erf) ODD(erfinv) ODD(sqrt) ODD(rint) ODD(round) ODD(trunc) ODD(ceil) ODD(floor)
            ODD(cyl_bessel_i1)
#undef ODD
}

TEST(SpecialValues, Infinities) {
  SAME(__nv_exp(kInf), kInf), SAME(__nv_exp(-kInf), 0.0), SAME(__nv_expm1(-kInf), -1.0), SAME(__nv_expm1(kInf), kInf);
  SAME(__nv_exp2(-kInf), 0.0), SAME(__nv_exp10(kInf), kInf), SAME(__nv_expf(-INFINITY), 0.0),
      SAME(__nv_expm1f(-INFINITY), -1.0);
  SAME(__nv_log(0.0), -kInf), SAME(__nv_log(-1.0), kNaN), SAME(__nv_log(kInf), kInf), SAME(__nv_log(1.0), 0.0);
  SAME(__nv_log2(0.0), -kInf), SAME(__nv_log10(kInf), kInf), SAME(__nv_log1p(-1.0), -kInf),
      SAME(__nv_log1p(kInf), kInf);
  SAME(__nv_logf(0.0f), -kInf), SAME(__nv_logf(INFINITY), kInf), SAME(__nv_logf(-1.0f), kNaN),
      SAME(__nv_log1pf(INFINITY), kInf);
  SAME(__nv_sin(kInf), kNaN), SAME(__nv_cosf(-INFINITY), kNaN), SAME(__nv_tan(kInf), kNaN),
      SAME(__nv_sinpi(kInf), kNaN);
  SAME(__nv_atan(kInf), M_PI_2), SAME(__nv_atan(-kInf), -M_PI_2), SAME(__nv_asin(2.0), kNaN),
      SAME(__nv_acos(-2.0), kNaN);
  SAME(__nv_acos(1.0), 0.0), SAME(__nv_acosh(1.0), 0.0), SAME(__nv_acosh(0.5), kNaN), SAME(__nv_acosh(kInf), kInf);
  SAME(__nv_atanh(1.0), kInf), SAME(__nv_atanh(-1.0), -kInf), SAME(__nv_atanh(2.0), kNaN),
      SAME(__nv_asinh(-kInf), -kInf);
  SAME(__nv_acosh(-1e10), kNaN), SAME(__nv_acosh(-1e300), kNaN), SAME(__nv_acoshf(-1e20f), kNaN),
      SAME(__nv_cosh(785.0), kInf);
  SAME(__nv_sinpi(1e308), 0.0), SAME(__nv_cospi(-1.7e308), 1.0), SAME(__nv_sinpif(-3e38f), -0.0f),
      SAME(__nv_cospif(3e38f), 1.0f);
  SAME(__nv_sinpi(9007199254740991.0), 0.0), SAME(__nv_cospi(9007199254740991.0), -1.0),
      SAME(__nv_cospif(16777215.0f), -1.0f);
  SAME(__nv_j1(-0.0), -0.0), SAME(__nv_j1f(0.0f), 0.0f);
  SAME(__nv_sinh(-kInf), -kInf), SAME(__nv_cosh(-kInf), kInf), SAME(__nv_tanh(kInf), 1.0),
      SAME(__nv_tanhf(-INFINITY), -1.0);
  SAME(__nv_rsqrt(0.0), kInf), SAME(__nv_rsqrt(-0.0), -kInf), SAME(__nv_rsqrt(kInf), 0.0), SAME(__nv_rsqrt(-1.0), kNaN);
  SAME(__nv_cbrt(-kInf), -kInf), SAME(__nv_rcbrt(-0.0), -kInf), SAME(__nv_rcbrt(-kInf), -0.0);
  SAME(__nv_hypot(kInf, kNaN), kInf), SAME(__nv_hypot(kNaN, -kInf), kInf), SAME(__nv_rhypot(kInf, 1.0), 0.0),
      SAME(__nv_hypot(0.0, -0.0), 0.0);
  SAME(__nv_erf(kInf), 1.0), SAME(__nv_erfc(-kInf), 2.0), SAME(__nv_erfc(kInf), 0.0), SAME(__nv_erfcx(kInf), 0.0),
      SAME(__nv_erfcx(-kInf), kInf);
  SAME(__nv_erfinv(1.0), kInf), SAME(__nv_erfinv(-1.0), -kInf), SAME(__nv_erfinv(1.5), kNaN),
      SAME(__nv_erfcinv(0.0), kInf);
  SAME(__nv_erfcinv(2.0), -kInf), SAME(__nv_erfcinv(-1.0), kNaN), SAME(__nv_normcdf(-kInf), 0.0),
      SAME(__nv_normcdf(kInf), 1.0);
  SAME(__nv_normcdfinv(0.0), -kInf), SAME(__nv_normcdfinv(1.0), kInf);
  SAME(__nv_tgamma(0.0), kInf), SAME(__nv_tgamma(-0.0), -kInf), SAME(__nv_tgamma(-3.0), kNaN),
      SAME(__nv_tgamma(kInf), kInf), SAME(__nv_tgamma(-kInf), kNaN);
  SAME(__nv_lgamma(0.0), kInf), SAME(__nv_lgamma(-2.0), kInf), SAME(__nv_lgamma(-kInf), kInf),
      SAME(__nv_lgamma(1.0), 0.0), SAME(__nv_lgamma(2.0), 0.0);
  SAME(__nv_j0(kInf), 0.0), SAME(__nv_y0(0.0), -kInf), SAME(__nv_y1(-1.0), kNaN), SAME(__nv_cyl_bessel_i0(-kInf), kInf);
}

TEST(SpecialValues, Pow) {
  SAME(__nv_pow(kNaN, 0.0), 1.0), SAME(__nv_pow(1.0, kNaN), 1.0), SAME(__nv_pow(-1.0, kInf), 1.0),
      SAME(__nv_pow(-1.0, -kInf), 1.0);
  SAME(__nv_pow(0.0, -3.0), kInf), SAME(__nv_pow(-0.0, -3.0), -kInf), SAME(__nv_pow(-0.0, 3.0), -0.0),
      SAME(__nv_pow(-0.0, 2.0), 0.0);
  SAME(__nv_pow(-kInf, 3.0), -kInf), SAME(__nv_pow(-kInf, 2.0), kInf), SAME(__nv_pow(-kInf, -3.0), -0.0),
      SAME(__nv_pow(kInf, -0.5), 0.0);
  SAME(__nv_pow(0.5, kInf), 0.0), SAME(__nv_pow(0.5, -kInf), kInf), SAME(__nv_pow(2.0, kInf), kInf),
      SAME(__nv_pow(0.0, kInf), 0.0);
  SAME(__nv_pow(-2.0, 3.0), -8.0), SAME(__nv_pow(-2.0, 0.5), kNaN), SAME(__nv_pow(2.0, 10.0), 1024.0),
      SAME(__nv_pow(-kInf, 0.5), kInf);
  SAME(__nv_powf(-2.0f, 3.0f), -8.0), SAME(__nv_powf(0.0f, -1.0f), kInf), SAME(__nv_powf(-1.0f, INFINITY), 1.0),
      SAME(__nv_powf(2.0f, 0.5f), static_cast<double>(std::sqrt(2.0f)));
  SAME(__nv_powi(3.0, 5), 243.0), SAME(__nv_powif(2.0f, -149), 0x1p-149), SAME(__nv_pow(10.0, 3.0), 1000.0),
      SAME(__nv_powf(10.0f, 2.0f), 100.0);
}

TEST(SpecialValues, Atan2) {
  SAME(__nv_atan2(0.0, -0.0), M_PI), SAME(__nv_atan2(-0.0, -0.0), -M_PI), SAME(__nv_atan2(0.0, 0.0), 0.0),
      SAME(__nv_atan2(-0.0, 1.0), -0.0);
  SAME(__nv_atan2(kInf, kInf), M_PI_4), SAME(__nv_atan2(-kInf, -kInf), -3 * M_PI_4), SAME(__nv_atan2(1.0, kInf), 0.0),
      SAME(__nv_atan2(1.0, -kInf), M_PI);
  SAME(__nv_atan2(kInf, 1.0), M_PI_2), SAME(__nv_atan2(kNaN, 1.0), kNaN), SAME(__nv_atan2(1.0, 0.0), M_PI_2),
      SAME(__nv_atan2(-1.0, -0.0), -M_PI_2);
}

TEST(Exact, AgreesWithTheCLibrary) {
  const double values[] = {
      0.0,    -0.0,   0.3,     0.5, -0.5, 1.5,  2.5,   -2.5, 0.49999999999999994, 1e15 + 0.5, 4503599627370497.5,
      5e-324, 1e-310, 3.7e300, 7.0, -7.0, kInf, -kInf, kNaN};
  for (double x : values) {
    SAME(__nv_round(x), std::round(x)), SAME(__nv_rint(x), std::rint(x)), SAME(__nv_logb(x), std::logb(x));
    SAME(__nv_roundf(static_cast<float>(x)), static_cast<double>(std::round(static_cast<float>(x))));
    int e1 = 0, e2 = 0;
    SAME(__nv_frexp(x, &e1), std::frexp(x, &e2));
    if (std::isfinite(x)) {
      EXPECT_EQ(e1, e2);
    }
    double w1, w2;
    SAME(__nv_modf(x, &w1), std::modf(x, &w2));
    SAME(w1, w2);
    for (int n : {-3000, -2100, -1100, -1074, -1030, -20, 0, 5, 1000, 1024, 2040, 2200})
      SAME(__nv_ldexp(x, n), std::ldexp(x, n));
    for (int n : {-300, -160, -130, -20, 0, 5, 100, 128, 250, 290})
      SAME(__nv_ldexpf(static_cast<float>(x), n), static_cast<double>(std::ldexp(static_cast<float>(x), n)));
    for (double y : values) {
      SAME(__nv_nextafter(x, y), std::nextafter(x, y)), SAME(__nv_fdim(x, y), std::fdim(x, y));
      SAME(__nv_nextafterf(static_cast<float>(x), static_cast<float>(y)),
           static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(y))));
      SAME(__nv_fmod(x, y), std::fmod(x, y)), SAME(__nv_remainder(x, y), std::remainder(x, y));
      SAME(__nv_fmodf(static_cast<float>(x), static_cast<float>(y)),
           static_cast<double>(std::fmod(static_cast<float>(x), static_cast<float>(y))));
      int q1 = 0, q2 = 0;
      SAME(__nv_remquo(x, y, &q1), std::remquo(x, y, &q2));
      if (std::isfinite(x) && y != 0 && !std::isnan(y)) {
        EXPECT_EQ(q1 & 7, q2 & 7) << x << " " << y;
      }
    }
  }
}

TEST(Exact, Integers) {
  EXPECT_EQ(__nv_clz(0), 32);
  EXPECT_EQ(__nv_clzll(1), 63);
  EXPECT_EQ(__nv_ffs(0), 0);
  EXPECT_EQ(__nv_ffs(8), 4);
  EXPECT_EQ(__nv_popcll(~0ull), 64);
  EXPECT_EQ(__nv_mul24(0xffffff, 2), -2);
  EXPECT_EQ(__nv_umul24(0xffffffffu, 2), 0x1fffffeu);
  EXPECT_EQ(__nv_mulhi(-1, 1), -1);
  EXPECT_EQ(__nv_mul64hi(-3, 5), -1);
  EXPECT_EQ(__nv_mul64hi(1ll << 62, -8), -2);
  EXPECT_EQ(__nv_umul64hi(~0ull, ~0ull), ~0ull - 1);
  EXPECT_EQ(__nv_hadd(-3, 0), -2);
  EXPECT_EQ(__nv_rhadd(-3, 0), -1);
  EXPECT_EQ(__nv_urhadd(~0u, ~0u - 1), ~0u);
  EXPECT_EQ(__nv_sad(-2147483647 - 1, 2147483647, 1), 0);
  EXPECT_EQ(__nv_abs(-2147483647 - 1), -2147483647 - 1);
  EXPECT_EQ(__nv_usad(3, 10, 1), 8u);
}

TEST(Bessel, OtherOrders) {
  for (int n : {2, 3, 5, 10, 40}) {
    for (double x : {0.1, 1.0, 3.0, 9.5, 41.0, 200.0}) {
      EXPECT_NEAR(__nv_jn(n, x), ::jn(n, x), 2e-14 * (1 + std::fabs(::jn(n, x)))) << n << " " << x;
      if (const double y = ::yn(n, x); std::isfinite(y)) {
        EXPECT_NEAR(__nv_yn(n, x) / y, 1.0, 1e-10) << n << " " << x;
      }
    }
  }
  // Beyond 8 CUDA promises an absolute error only.
  for (double x = 8; x < 1e6; x *= 1.01) {
    EXPECT_NEAR(__nv_j0(x), ::j0(x), 5e-12);
    EXPECT_NEAR(__nv_j1(x), ::j1(x), 5e-12);
    EXPECT_NEAR(__nv_y0(x), ::y0(x), 5e-12);
    EXPECT_NEAR(__nv_y1(x), ::y1(x), 5e-12);
  }
}

}  // namespace
