// sin, sinf, std::sin, sin(int) … for device code.
//
// Clang lets a __device__ function overload a host function of the same signature. The overloads must exist, in
// namespace std too, before <cmath> defines its own. Those are constexpr, so Clang would take them for host *and*
// device functions, and a call in a kernel would become a call of the C library. Therefore this file comes first, and
// <cmath> after it. (Clang's own __clang_cuda_cmath.h solves the same problem in two steps around <cmath>. One step
// compiles in half the time, because definitions here need no declaration of the C library's.)
//
// The functions that classify numbers (isnan, signbit, fpclassify, isless …) need nothing here: libstdc++ defines them
// as constexpr functions of builtins, which work on the device.
#pragma once

#include <__clang_cuda_libdevice_declares.h>

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))

namespace warpwise_cuda {
template <bool condition, class T> struct EnableIf {};
template <class T> struct EnableIf<true, T> { typedef T type; };
// The result type of f(a) for arguments of these types, when at least one is not float (C++: 26.8.1 [cmath.syn]).
template <class T> using IfInteger = typename EnableIf<__is_integral(T), double>::type;
template <class A, class B> struct SameType { static constexpr bool value = false; };
template <class A> struct SameType<A, A> { static constexpr bool value = true; };
template <class A, class B>
using IfMixed = typename EnableIf<(__is_arithmetic(A) && __is_arithmetic(B) && !SameType<A, B>::value) ||
                                      (__is_integral(A) && __is_integral(B)), double>::type;
}  // namespace warpwise_cuda

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define WARPWISE_FASTF(name) __nv_fast_##name##f
#else
#define WARPWISE_FASTF(name) __nv_##name##f
#endif

// --- one and two arguments --------------------------------------------------------------------------
#define WARPWISE_UNARY(name, floatname)                             \
  DEVICE double name(double x) { return __nv_##name(x); }           \
  DEVICE float name##f(float x) { return floatname(x); }            \
  DEVICE float name(float x) { return floatname(x); }
#define STD1(name)                                                  \
  WARPWISE_UNARY(name, __nv_##name##f)                              \
  template <class T> DEVICE warpwise_cuda::IfInteger<T> name(T x) { return __nv_##name(static_cast<double>(x)); }
#define FAST1(name)                                                 \
  WARPWISE_UNARY(name, WARPWISE_FASTF(name))                        \
  template <class T> DEVICE warpwise_cuda::IfInteger<T> name(T x) { return __nv_##name(static_cast<double>(x)); }
#define CUDA1(name) WARPWISE_UNARY(name, __nv_##name##f)
#define WARPWISE_BINARY(name)                                             \
  DEVICE double name(double x, double y) { return __nv_##name(x, y); }    \
  DEVICE float name##f(float x, float y) { return __nv_##name##f(x, y); } \
  DEVICE float name(float x, float y) { return __nv_##name##f(x, y); }
#define STD2(name)                                                        \
  WARPWISE_BINARY(name)                                                   \
  template <class A, class B> DEVICE warpwise_cuda::IfMixed<A, B> name(A x, B y) { \
    return __nv_##name(static_cast<double>(x), static_cast<double>(y));   \
  }
#define CUDA2(name) WARPWISE_BINARY(name)
#define INT1(result, name, nv)                                              \
  DEVICE result name(double x) { return static_cast<result>(__nv_##nv(x)); }  \
  DEVICE result name##f(float x) { return static_cast<result>(__nv_##nv##f(x)); } \
  DEVICE result name(float x) { return static_cast<result>(__nv_##nv##f(x)); }
#include "math.inc"
#undef WARPWISE_UNARY
#undef WARPWISE_BINARY

// --- the others -------------------------------------------------------------------------------------
DEVICE double pow(double x, double y) { return __nv_pow(x, y); }
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
DEVICE float powf(float x, float y) { return __nv_fast_powf(x, y); }
#else
DEVICE float powf(float x, float y) { return __nv_powf(x, y); }
#endif
DEVICE float pow(float x, float y) { return powf(x, y); }
DEVICE double powi(double x, int n) { return __nv_powi(x, n); }
DEVICE float powif(float x, int n) { return __nv_powif(x, n); }
DEVICE double pow(double x, int n) { return __nv_powi(x, n); }
DEVICE float pow(float x, int n) { return __nv_powif(x, n); }
template <class A, class B> DEVICE warpwise_cuda::IfMixed<A, B> pow(A x, B y) {
  return __nv_pow(static_cast<double>(x), static_cast<double>(y));
}
DEVICE double fma(double x, double y, double z) { return __nv_fma(x, y, z); }
DEVICE float fmaf(float x, float y, float z) { return __nv_fmaf(x, y, z); }
DEVICE float fma(float x, float y, float z) { return __nv_fmaf(x, y, z); }
DEVICE double frexp(double x, int* e) { return __nv_frexp(x, e); }
DEVICE float frexpf(float x, int* e) { return __nv_frexpf(x, e); }
DEVICE float frexp(float x, int* e) { return __nv_frexpf(x, e); }
DEVICE double ldexp(double x, int e) { return __nv_ldexp(x, e); }
DEVICE float ldexpf(float x, int e) { return __nv_ldexpf(x, e); }
DEVICE float ldexp(float x, int e) { return __nv_ldexpf(x, e); }
DEVICE double scalbn(double x, int e) { return __nv_scalbn(x, e); }
DEVICE float scalbnf(float x, int e) { return __nv_scalbnf(x, e); }
DEVICE float scalbn(float x, int e) { return __nv_scalbnf(x, e); }
// Beyond ±10000 every finite number has left the range, so the exponent may be clamped there.
DEVICE int warpwise_clamp_exponent(long e) { return static_cast<int>(e < -10000 ? -10000 : e > 10000 ? 10000 : e); }
DEVICE double scalbln(double x, long e) { return __nv_scalbn(x, warpwise_clamp_exponent(e)); }
DEVICE float scalblnf(float x, long e) { return __nv_scalbnf(x, warpwise_clamp_exponent(e)); }
DEVICE float scalbln(float x, long e) { return __nv_scalbnf(x, warpwise_clamp_exponent(e)); }
DEVICE double modf(double x, double* i) { return __nv_modf(x, i); }
DEVICE float modff(float x, float* i) { return __nv_modff(x, i); }
DEVICE float modf(float x, float* i) { return __nv_modff(x, i); }
DEVICE double remquo(double x, double y, int* q) { return __nv_remquo(x, y, q); }
DEVICE float remquof(float x, float y, int* q) { return __nv_remquof(x, y, q); }
DEVICE float remquo(float x, float y, int* q) { return __nv_remquof(x, y, q); }
DEVICE double nan(const char* tag) { return __nv_nan(reinterpret_cast<const signed char*>(tag)); }
DEVICE float nanf(const char* tag) { return __nv_nanf(reinterpret_cast<const signed char*>(tag)); }
DEVICE int abs(int x) { return __nv_abs(x); }
DEVICE long labs(long x) { return __nv_llabs(x); }
DEVICE long abs(long x) { return __nv_llabs(x); }
DEVICE long long llabs(long long x) { return __nv_llabs(x); }
DEVICE long long abs(long long x) { return __nv_llabs(x); }
DEVICE float abs(float x) { return __nv_fabsf(x); }
DEVICE double abs(double x) { return __nv_fabs(x); }

DEVICE void sincos(double x, double* s, double* c) { __nv_sincos(x, s, c); }
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
DEVICE void sincosf(float x, float* s, float* c) { __nv_fast_sincosf(x, s, c); }
#else
DEVICE void sincosf(float x, float* s, float* c) { __nv_sincosf(x, s, c); }
#endif
DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
DEVICE void sincospi(double x, double* s, double* c) { __nv_sincospi(x, s, c); }
DEVICE void sincospif(float x, float* s, float* c) { __nv_sincospif(x, s, c); }
DEVICE void sincospi(float x, float* s, float* c) { __nv_sincospif(x, s, c); }
DEVICE double jn(int n, double x) { return __nv_jn(n, x); }
DEVICE float jnf(int n, float x) { return __nv_jnf(n, x); }
DEVICE float jn(int n, float x) { return __nv_jnf(n, x); }
DEVICE double yn(int n, double x) { return __nv_yn(n, x); }
DEVICE float ynf(int n, float x) { return __nv_ynf(n, x); }
DEVICE float yn(int n, float x) { return __nv_ynf(n, x); }
DEVICE double norm3d(double x, double y, double z) { return __nv_norm3d(x, y, z); }
DEVICE float norm3df(float x, float y, float z) { return __nv_norm3df(x, y, z); }
DEVICE double norm4d(double x, double y, double z, double w) { return __nv_norm4d(x, y, z, w); }
DEVICE float norm4df(float x, float y, float z, float w) { return __nv_norm4df(x, y, z, w); }
DEVICE double rnorm3d(double x, double y, double z) { return __nv_rnorm3d(x, y, z); }
DEVICE float rnorm3df(float x, float y, float z) { return __nv_rnorm3df(x, y, z); }
DEVICE double rnorm4d(double x, double y, double z, double w) { return __nv_rnorm4d(x, y, z, w); }
DEVICE float rnorm4df(float x, float y, float z, float w) { return __nv_rnorm4df(x, y, z, w); }
DEVICE double norm(int n, const double* p) { return __nv_norm(n, p); }
DEVICE float normf(int n, const float* p) { return __nv_normf(n, p); }
DEVICE double rnorm(int n, const double* p) { return __nv_rnorm(n, p); }
DEVICE float rnormf(int n, const float* p) { return __nv_rnormf(n, p); }
DEVICE double fdivide(double x, double y) { return x / y; }
DEVICE float fdivide(float x, float y) { return x / y; }
DEVICE float fdividef(float x, float y) { return x / y; }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
DEVICE float __tanhf(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif

// --- the same in namespace std ----------------------------------------------------------------------
namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
#define STD1(name) using ::name; using ::name##f;
#define STD2(name) using ::name; using ::name##f;
#define INT1(result, name, nv) using ::name; using ::name##f;
#include "math.inc"
using ::pow; using ::powf; using ::fma; using ::fmaf; using ::frexp; using ::frexpf; using ::ldexp; using ::ldexpf;
using ::scalbn; using ::scalbnf; using ::scalbln; using ::scalblnf; using ::modf; using ::modff; using ::remquo;
using ::remquof; using ::nan; using ::nanf; using ::abs; using ::labs; using ::llabs;
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std
#pragma pop_macro("DEVICE")
