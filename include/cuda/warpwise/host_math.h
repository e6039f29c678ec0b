// The functions of CUDA's mathematics that the C library lacks, for host code; min and max for host and device.
#pragma once

#pragma push_macro("BOTH")
#define BOTH static inline __attribute__((host, device, always_inline))
// Integers of different types are compared as C would: in their common type.
#define WARPWISE_MINMAX(T, A, B)                                                                   \
  BOTH T min(A a, B b) { return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); } \
  BOTH T max(A a, B b) { return static_cast<T>(a) > static_cast<T>(b) ? static_cast<T>(a) : static_cast<T>(b); }
WARPWISE_MINMAX(int, int, int)
WARPWISE_MINMAX(unsigned int, unsigned int, unsigned int)
WARPWISE_MINMAX(unsigned int, int, unsigned int)
WARPWISE_MINMAX(unsigned int, unsigned int, int)
WARPWISE_MINMAX(long, long, long)
WARPWISE_MINMAX(unsigned long, unsigned long, unsigned long)
WARPWISE_MINMAX(unsigned long, long, unsigned long)
WARPWISE_MINMAX(unsigned long, unsigned long, long)
WARPWISE_MINMAX(long long, long long, long long)
WARPWISE_MINMAX(unsigned long long, unsigned long long, unsigned long long)
WARPWISE_MINMAX(unsigned long long, long long, unsigned long long)
WARPWISE_MINMAX(unsigned long long, unsigned long long, long long)
#undef WARPWISE_MINMAX
// A NaN loses, as with fmin and fmax.
BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
BOTH unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
BOTH unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
BOTH long long llmin(long long a, long long b) { return a < b ? a : b; }
BOTH long long llmax(long long a, long long b) { return a > b ? a : b; }
BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
#pragma pop_macro("BOTH")

#pragma push_macro("HOST")
#define HOST static inline __attribute__((host))
HOST double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
HOST float rsqrtf(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }
HOST double rcbrt(double x) { return 1.0 / __builtin_cbrt(x); }
HOST double normcdf(double x) { return 0.5 * __builtin_erfc(-x * 0.70710678118654752440); }
HOST double erfcx(double x) {
  // exp(x²)·erfc(x): directly where neither factor leaves the range, otherwise by the asymptotic continued fraction.
  if (x < 25) return __builtin_exp(x * x) * __builtin_erfc(x);
  double fraction = x;
  for (int k = 20; k > 0; --k) fraction = x + k * 0.5 / fraction;
  return 0.56418958354775628695 / fraction;
}
// x·π after exact reduction to an eighth of a turn around a multiple of π/2.
HOST void sincospi(double x, double* s, double* c) {
  const double r = x - 2.0 * __builtin_floor(x * 0.5);  // exact: [0, 2)
  const double n = __builtin_floor(2.0 * r + 0.5);
  const double angle = (r - 0.5 * n) * 3.14159265358979323846;
  const double sine = __builtin_sin(angle), cosine = __builtin_cos(angle);
  const int quadrant = static_cast<int>(n) & 3;
  *s = quadrant == 0 ? sine : quadrant == 1 ? cosine : quadrant == 2 ? -sine : -cosine;
  *c = quadrant == 0 ? cosine : quadrant == 1 ? -sine : quadrant == 2 ? -cosine : sine;
}
HOST double sinpi(double x) { double s, c; sincospi(x, &s, &c); return s; }
HOST double cospi(double x) { double s, c; sincospi(x, &s, &c); return c; }
// Newton on erfc from Winitzki's closed form (A handy approximation for the error function, 2008).
HOST double erfcinv(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
  const double p = y < 1 ? y : 2 - y;  // erfcinv(2 - y) = -erfcinv(y)
  const double a = 0.147, l = __builtin_log(p * (2 - p)), b = 2 / (3.14159265358979323846 * a) + l / 2;
  double x = __builtin_sqrt(__builtin_sqrt(b * b - l / a) - b);
  if (p < 1e-100) x = __builtin_sqrt(-__builtin_log(p * x * 1.77245385090551602730));
  for (int i = 0; i < 4; ++i) {
    const double f = (__builtin_erfc(x) / p - 1) * p * __builtin_exp(x * x) * 0.88622692545275801365;
    x += f / (1 + x * f);
  }
  return y < 1 ? x : -x;
}
HOST double erfinv(double y) {
  if (__builtin_fabs(y) > 0.5) return erfcinv(1 - y);
  double x = y * 0.88622692545275801365;
  for (int i = 0; i < 5; ++i) {
    const double f = (__builtin_erf(x) - y) * __builtin_exp(x * x) * 0.88622692545275801365;
    x -= f / (1 + x * f);
  }
  return x;
}
HOST double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
HOST float rcbrtf(float x) { return static_cast<float>(rcbrt(static_cast<double>(x))); }
HOST float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
HOST float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
HOST float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
HOST float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
HOST void sincospif(float x, float* s, float* c) { double ds, dc; sincospi(x, &ds, &dc); *s = static_cast<float>(ds), *c = static_cast<float>(dc); }
HOST float erfinvf(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
HOST float erfcinvf(float x) { return static_cast<float>(erfcinv(static_cast<double>(x))); }
HOST float normcdfinvf(float x) { return static_cast<float>(normcdfinv(static_cast<double>(x))); }
// What the C library has for doubles alone under these names: CUDA's overloads.
HOST float exp10(float x) { return exp10f(x); }
HOST void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
HOST void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
HOST float j0(float x) { return j0f(x); }
HOST float j1(float x) { return j1f(x); }
HOST float jn(int n, float x) { return jnf(n, x); }
HOST float y0(float x) { return y0f(x); }
HOST float y1(float x) { return y1f(x); }
HOST float yn(int n, float x) { return ynf(n, x); }
HOST float rsqrt(float x) { return rsqrtf(x); }
HOST float rcbrt(float x) { return rcbrtf(x); }
HOST float sinpi(float x) { return sinpif(x); }
HOST float cospi(float x) { return cospif(x); }
HOST float normcdf(float x) { return normcdff(x); }
HOST float normcdfinv(float x) { return normcdfinvf(x); }
HOST float erfinv(float x) { return erfinvf(x); }
HOST float erfcinv(float x) { return erfcinvf(x); }
HOST float erfcx(float x) { return erfcxf(x); }
HOST double rhypot(double x, double y) { return 1.0 / __builtin_hypot(x, y); }
HOST float rhypotf(float x, float y) { return static_cast<float>(1.0 / __builtin_hypot(static_cast<double>(x), y)); }
HOST double norm3d(double x, double y, double z) { return __builtin_hypot(__builtin_hypot(x, y), z); }
HOST double norm4d(double x, double y, double z, double w) { return __builtin_hypot(__builtin_hypot(x, y), __builtin_hypot(z, w)); }
HOST double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }
HOST double rnorm4d(double x, double y, double z, double w) { return 1.0 / norm4d(x, y, z, w); }
HOST double fdivide(double x, double y) { return x / y; }
HOST float fdividef(float x, float y) { return x / y; }
#pragma pop_macro("HOST")
