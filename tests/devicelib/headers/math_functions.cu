// Every mathematical function of CUDA, by its own name, as an overload, and in namespace std.
#include <cmath>
template <class A, class B> struct Same { static constexpr bool value = false; };
template <class A> struct Same<A, A> { static constexpr bool value = true; };
#define IS(T, e) static_assert(Same<T, decltype(e)>::value, #e)
__global__ void doubles(double* p, int n) {
  double x = p[0], y = p[1], z = p[2];
  int i; long l = 0; long long ll = 0;
  x += acos(y); x += acosh(y); x += asin(y); x += asinh(y); x += atan(y); x += atanh(y); x += cbrt(y); x += ceil(y); x += cos(y); x += cosh(y); x += cospi(y); x += cyl_bessel_i0(y); x += cyl_bessel_i1(y); x += erf(y); x += erfc(y); x += erfcinv(y); x += erfcx(y); x += erfinv(y); x += exp(y); x += exp10(y); x += exp2(y); x += expm1(y); x += fabs(y); x += floor(y); x += j0(y); x += j1(y); x += lgamma(y); x += log(y); x += log10(y); x += log1p(y); x += log2(y); x += logb(y); x += nearbyint(y); x += normcdf(y); x += normcdfinv(y); x += rcbrt(y); x += rint(y); x += round(y); x += rsqrt(y); x += sin(y); x += sinh(y); x += sinpi(y); x += sqrt(y); x += tan(y); x += tanh(y); x += tgamma(y); x += trunc(y); x += y0(y); x += y1(y);
  x += std::acos(y) + std::acos(n); x += std::acosh(y) + std::acosh(n); x += std::asin(y) + std::asin(n); x += std::asinh(y) + std::asinh(n); x += std::atan(y) + std::atan(n); x += std::atanh(y) + std::atanh(n); x += std::cbrt(y) + std::cbrt(n); x += std::ceil(y) + std::ceil(n); x += std::cos(y) + std::cos(n); x += std::cosh(y) + std::cosh(n); x += std::erf(y) + std::erf(n); x += std::erfc(y) + std::erfc(n); x += std::exp(y) + std::exp(n); x += std::exp2(y) + std::exp2(n); x += std::expm1(y) + std::expm1(n); x += std::fabs(y) + std::fabs(n); x += std::floor(y) + std::floor(n); x += std::lgamma(y) + std::lgamma(n); x += std::log(y) + std::log(n); x += std::log10(y) + std::log10(n); x += std::log1p(y) + std::log1p(n); x += std::log2(y) + std::log2(n); x += std::logb(y) + std::logb(n); x += std::nearbyint(y) + std::nearbyint(n); x += std::rint(y) + std::rint(n); x += std::round(y) + std::round(n); x += std::sin(y) + std::sin(n); x += std::sinh(y) + std::sinh(n); x += std::sqrt(y) + std::sqrt(n); x += std::tan(y) + std::tan(n); x += std::tanh(y) + std::tanh(n); x += std::tgamma(y) + std::tgamma(n); x += std::trunc(y) + std::trunc(n);
  x += atan2(y, z) + std::atan2(y, z) + std::atan2(y, n); x += copysign(y, z) + std::copysign(y, z) + std::copysign(y, n); x += fdim(y, z) + std::fdim(y, z) + std::fdim(y, n); x += fmax(y, z) + std::fmax(y, z) + std::fmax(y, n); x += fmin(y, z) + std::fmin(y, z) + std::fmin(y, n); x += fmod(y, z) + std::fmod(y, z) + std::fmod(y, n); x += hypot(y, z) + std::hypot(y, z) + std::hypot(y, n); x += nextafter(y, z) + std::nextafter(y, z) + std::nextafter(y, n); x += pow(y, z) + std::pow(y, z) + std::pow(y, n); x += remainder(y, z) + std::remainder(y, z) + std::remainder(y, n);
  x += fma(x, y, z) + norm3d(x, y, z) + norm4d(x, y, z, x) + rnorm3d(x, y, z) + rnorm4d(x, y, z, x) + rhypot(x, y) + norm(n, p) + rnorm(n, p);
  x += frexp(y, &i) + ldexp(z, i) + scalbn(x, 3) + scalbln(x, 3L) + modf(x, p + 3) + remquo(x, y, &i) + jn(n, x) + yn(n, y) + fdivide(x, y) + powi(x, 3) + pow(x, 2);
  sincos(x, p + 4, p + 5), sincospi(x, p + 6, p + 7);
  i += ilogb(x) + isnan(x) + isinf(x) + isfinite(x) + signbit(x) + std::isnormal(x) + std::isless(x, y) + std::fpclassify(x);
  l += lrint(x) + lround(x), ll += llrint(x) + llround(x);
  p[8] = x + i + l + ll + max(x, y) + min(x, y) + abs(x) + std::abs(x) + abs(n) + nan("");
  IS(double, sin(x)); IS(double, std::sqrt(n)); IS(double, pow(x, 2)); IS(double, std::fmax(x, 1.0f)); IS(double, max(x, y));
}
__global__ void floats(float* p, int n) {
  float x = p[0], y = p[1], z = p[2];
  int i; long l = 0; long long ll = 0;
  x += acosf(y) + acos(y); x += acoshf(y) + acosh(y); x += asinf(y) + asin(y); x += asinhf(y) + asinh(y); x += atanf(y) + atan(y); x += atanhf(y) + atanh(y); x += cbrtf(y) + cbrt(y); x += ceilf(y) + ceil(y); x += cosf(y) + cos(y); x += coshf(y) + cosh(y); x += cospif(y) + cospi(y); x += cyl_bessel_i0f(y) + cyl_bessel_i0(y); x += cyl_bessel_i1f(y) + cyl_bessel_i1(y); x += erff(y) + erf(y); x += erfcf(y) + erfc(y); x += erfcinvf(y) + erfcinv(y); x += erfcxf(y) + erfcx(y); x += erfinvf(y) + erfinv(y); x += expf(y) + exp(y); x += exp10f(y) + exp10(y); x += exp2f(y) + exp2(y); x += expm1f(y) + expm1(y); x += fabsf(y) + fabs(y); x += floorf(y) + floor(y); x += j0f(y) + j0(y); x += j1f(y) + j1(y); x += lgammaf(y) + lgamma(y); x += logf(y) + log(y); x += log10f(y) + log10(y); x += log1pf(y) + log1p(y); x += log2f(y) + log2(y); x += logbf(y) + logb(y); x += nearbyintf(y) + nearbyint(y); x += normcdff(y) + normcdf(y); x += normcdfinvf(y) + normcdfinv(y); x += rcbrtf(y) + rcbrt(y); x += rintf(y) + rint(y); x += roundf(y) + round(y); x += rsqrtf(y) + rsqrt(y); x += sinf(y) + sin(y); x += sinhf(y) + sinh(y); x += sinpif(y) + sinpi(y); x += sqrtf(y) + sqrt(y); x += tanf(y) + tan(y); x += tanhf(y) + tanh(y); x += tgammaf(y) + tgamma(y); x += truncf(y) + trunc(y); x += y0f(y) + y0(y); x += y1f(y) + y1(y);
  x += std::acos(y); x += std::acosh(y); x += std::asin(y); x += std::asinh(y); x += std::atan(y); x += std::atanh(y); x += std::cbrt(y); x += std::ceil(y); x += std::cos(y); x += std::cosh(y); x += std::erf(y); x += std::erfc(y); x += std::exp(y); x += std::exp2(y); x += std::expm1(y); x += std::fabs(y); x += std::floor(y); x += std::lgamma(y); x += std::log(y); x += std::log10(y); x += std::log1p(y); x += std::log2(y); x += std::logb(y); x += std::nearbyint(y); x += std::rint(y); x += std::round(y); x += std::sin(y); x += std::sinh(y); x += std::sqrt(y); x += std::tan(y); x += std::tanh(y); x += std::tgamma(y); x += std::trunc(y);
  x += atan2f(y, z) + atan2(y, z) + std::atan2(y, z); x += copysignf(y, z) + copysign(y, z) + std::copysign(y, z); x += fdimf(y, z) + fdim(y, z) + std::fdim(y, z); x += fmaxf(y, z) + fmax(y, z) + std::fmax(y, z); x += fminf(y, z) + fmin(y, z) + std::fmin(y, z); x += fmodf(y, z) + fmod(y, z) + std::fmod(y, z); x += hypotf(y, z) + hypot(y, z) + std::hypot(y, z); x += nextafterf(y, z) + nextafter(y, z) + std::nextafter(y, z); x += powf(y, z) + pow(y, z) + std::pow(y, z); x += remainderf(y, z) + remainder(y, z) + std::remainder(y, z);
  x += fmaf(x, y, z) + norm3df(x, y, z) + norm4df(x, y, z, x) + rnorm3df(x, y, z) + rnorm4df(x, y, z, x) + rhypotf(x, y) + normf(n, p) + rnormf(n, p);
  x += frexpf(y, &i) + ldexpf(z, i) + scalbnf(x, 3) + scalblnf(x, 3L) + modff(x, p + 3) + remquof(x, y, &i) + jnf(n, x) + ynf(n, y) + fdividef(x, y) + powif(x, 3) + pow(x, 2);
  sincosf(x, p + 4, p + 5), sincospif(x, p + 6, p + 7);
  i += ilogbf(x) + isnan(x) + isinf(x) + isfinite(x) + signbit(x);
  l += lrintf(x) + lroundf(x), ll += llrintf(x) + llroundf(x);
  p[8] = x + i + l + ll + max(x, y) + min(x, y) + fabs(x) + std::abs(x) + max(x, 1.0) + nanf("");
  IS(float, sin(x)); IS(float, std::exp(x)); IS(float, std::pow(x, y)); IS(float, sqrt(x)); IS(float, max(x, y)); IS(float, abs(x)); IS(float, fmax(x, y));
}
__global__ void fast(float* p) {
  float x = p[0], y = p[1];
  x += __expf(y) + __exp10f(y) + __logf(y) + __log2f(y) + __log10f(y) + __sinf(y) + __cosf(y) + __tanf(y) + __powf(x, y) + __fdividef(x, y) + __saturatef(x) + __frsqrt_rn(x);
  __sincosf(x, p + 2, p + 3);
  p[4] = x;
}
// Host code has the same functions, the C library's and ours.
double host(double x, float f, int n) {
  IS(float, sin(f)); IS(double, sqrt(n)); IS(float, std::pow(f, f)); IS(double, abs(x)); IS(float, fabs(f));
  double s, c;
  sincospi(x, &s, &c);
  return sin(x) + sinf(f) + std::max(f, 1.0f) + max(n, 3) + min(f, f) + rsqrt(x) + rsqrtf(f) + erfinv(0.3) + normcdf(x) + cospi(x) + rhypot(x, x) + isnan(x) + std::isinf(f) + erfcinv(s) + c;
}
