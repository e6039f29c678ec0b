// Compares every function of the device library with MPFR: the largest error in units of the last place stays below the
// value that CUDA documents. The measured errors are printed; WARPWISE_SAMPLES sets the number of samples of each.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "library.h"
#include "reference.h"

namespace warpwise::devicelib::test {
namespace {

int samples() {
  const char* wish = std::getenv("WARPWISE_SAMPLES");
  return wish ? std::atoi(wish) : 2000;
}

template <class T>
double ulp_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  const int smallest = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
  return std::ldexp(1.0, std::max(exponent - std::numeric_limits<T>::digits, smallest));
}

// |got - exact| in units of the last place of the exact result.
template <class T>
double error_in_ulps(T got, mpfr_srcptr exact) {
  if (mpfr_nan_p(exact)) return std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  const T rounded =
      sizeof(T) == 8 ? static_cast<T>(mpfr_get_d(exact, MPFR_RNDN)) : static_cast<T>(mpfr_get_flt(exact, MPFR_RNDN));
  if (std::isnan(got)) return std::numeric_limits<double>::infinity();
  if (got == rounded && (std::isinf(rounded) || mpfr_zero_p(exact))) return 0;
  const double scale = ulp_of<T>(std::isinf(rounded) ? static_cast<double>(std::numeric_limits<T>::max())
                                                     : static_cast<double>(rounded));
  Big difference;
  if (std::isinf(got)) {
    // Overflow half an ulp early counts as an error of half an ulp, as if the exponent range continued.
    mpfr_set_ui_2exp(difference.v, 1, std::numeric_limits<T>::max_exponent, MPFR_RNDN);
    if (got < 0) mpfr_neg(difference.v, difference.v, MPFR_RNDN);
    mpfr_sub(difference.v, exact, difference.v, MPFR_RNDN);
  } else {
    mpfr_sub_d(difference.v, exact, static_cast<double>(got), MPFR_RNDN);
  }
  mpfr_div_d(difference.v, difference.v, scale, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.v, MPFR_RNDN));
}

// Samples of [low, high]: first the ends and critical numbers, then random ones.
template <class T>
class Samples {
 public:
  Samples(double low, double high)
      : low_(std::max(static_cast<T>(std::max(low, -static_cast<double>(std::numeric_limits<T>::max()))),
                      -std::numeric_limits<T>::max())),
        high_(static_cast<T>(std::min(high, static_cast<double>(std::numeric_limits<T>::max())))) {}
  T next() {
    using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    static constexpr double special[] = {0.0,
                                         1.0,
                                         -1.0,
                                         0.5,
                                         -0.5,
                                         2.0,
                                         3.0,
                                         1e-310,
                                         5e-324,
                                         1e-45,
                                         1e-40,
                                         0.25,
                                         1.4142135623730951,
                                         0.7071067811865476,
                                         2.718281828459045,
                                         3.141592653589793,
                                         1.5707963267948966,
                                         0.7853981633974483,
                                         6381956970095103.0 * 0x1p797,
                                         1e22,
                                         1e300,
                                         1e9,
                                         105414357.85};
    if (n_ < std::size(special) * 3) {
      const T base = static_cast<T>(special[n_ / 3]);
      const T x = n_ % 3 == 0 ? base : std::nextafter(base, n_ % 3 == 1 ? T(10) : T(-10));
      ++n_;
      if (x >= low_ && x <= high_) return x;
    }
    for (;;) {
      if (random_() & 1) {
        const double u = std::uniform_real_distribution<double>(0, 1)(random_);
        const double range = random_() & 1 ? std::min(static_cast<double>(high_), 20.0) : static_cast<double>(high_);
        const double bottom = range == high_ ? static_cast<double>(low_) : std::max(static_cast<double>(low_), -20.0);
        const T x = static_cast<T>(bottom + u * range - u * bottom);
        if (x >= low_ && x <= high_) return x;
      } else {
        Bits bits = static_cast<Bits>(random_());
        T x;
        std::memcpy(&x, &bits, sizeof x);
        if (x >= low_ && x <= high_) return x;
        // Outside: the same digits at an exponent near 1.
        x = std::ldexp(std::frexp(std::isfinite(x) ? x : T(1), &unused_), static_cast<int>(random_() % 64) - 50);
        if (x >= low_ && x <= high_) return x;
      }
    }
  }

 private:
  T low_, high_;
  size_t n_ = 0;
  int unused_ = 0;
  std::mt19937_64 random_{20240611};
};

template <class T>
void check1(const char* name, T (*f)(T), Reference1 reference, double bound, double low, double high) {
  Samples<T> sample(low, high);
  double worst = 0;
  T where = 0;
  for (int i = 0; i < samples(); ++i) {
    const T x = sample.next();
    Big exact, argument(static_cast<double>(x));
    reference(exact.v, argument.v);
    const double error = error_in_ulps(f(x), exact.v);
    if (!(error <= worst)) worst = error, where = x;
  }
  std::printf("%-16s %s  %8.3f ulp  (bound %g)  at %a\n", name, sizeof(T) == 8 ? "double" : "float ", worst, bound,
              static_cast<double>(where));
  EXPECT_LE(worst, bound) << name << " at " << static_cast<double>(where) << ": got " << static_cast<double>(f(where));
}
template <class T>
void check2(const char* name, T (*f)(T, T), Reference2 reference, double bound, double low, double high) {
  Samples<T> first(low, high);
  Samples<T> second(-1.7e308, 1.7e308);
  for (int i = 0; i < 100; ++i) second.next();
  double worst = 0;
  T where_x = 0, where_y = 0;
  for (int i = 0; i < samples(); ++i) {
    const T x = first.next(), y = second.next();
    Big exact, a(static_cast<double>(x)), b(static_cast<double>(y));
    reference(exact.v, a.v, b.v);
    const double error = error_in_ulps(f(x, y), exact.v);
    if (!(error <= worst)) worst = error, where_x = x, where_y = y;
  }
  std::printf("%-16s %s  %8.3f ulp  (bound %g)  at %a, %a\n", name, sizeof(T) == 8 ? "double" : "float ", worst, bound,
              static_cast<double>(where_x), static_cast<double>(where_y));
  EXPECT_LE(worst, bound) << name << " at " << static_cast<double>(where_x) << ", " << static_cast<double>(where_y)
                          << ": got " << static_cast<double>(f(where_x, where_y));
}

void cyl_bessel_i0(mpfr_ptr r, mpfr_srcptr x) { bessel_i<0>(r, x); }
void cyl_bessel_i1(mpfr_ptr r, mpfr_srcptr x) { bessel_i<1>(r, x); }
void fdim(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { dim(r, x, y); }

#define ACCURACY1(name, bound, bound_float, low, high)                        \
  TEST(DeviceLibrary, name) {                                                 \
    check1<double>(#name, __nv_##name, test::name, bound, low, high);         \
    check1<float>(#name, __nv_##name##f, test::name, bound_float, low, high); \
  }
#define ACCURACY2(name, bound, bound_float, low, high)                        \
  TEST(DeviceLibrary, name) {                                                 \
    check2<double>(#name, __nv_##name, test::name, bound, low, high);         \
    check2<float>(#name, __nv_##name##f, test::name, bound_float, low, high); \
  }
#include "accuracy.inc"

}  // namespace
}  // namespace warpwise::devicelib::test
