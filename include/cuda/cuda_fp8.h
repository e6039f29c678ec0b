// 8-bit floating point: __nv_fp8_e4m3, __nv_fp8_e5m2, their pairs and fours (CUDA Math API, "FP8 Intrinsics"). Formats: OCP
// 8-bit Floating Point, version 1.0. e4m3 has no infinity; NaN is 0x7f.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "warpwise/begin_device_code.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#pragma push_macro("BOTH")
#define BOTH static inline __host__ __device__ __attribute__((always_inline))

namespace warpwise_cuda {
// The nearest fp8, ties to even, of a double; every other source is exact as a double.
BOTH unsigned char fp8_of(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const int fraction_bits = kind == __NV_E4M3 ? 3 : 2, lowest = kind == __NV_E4M3 ? -6 : -14;
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = saturation == __NV_SATFINITE ? largest : largest + 1;
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x), magnitude = bits & 0x7fffffffffffffffull;
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
  if (magnitude > 0x7ff0000000000000ull) return 0x7f;
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 15) return static_cast<unsigned char>(sign | beyond);
  if (exponent < lowest) exponent = lowest;
  // In units of the last place: below 2^4, so the integer part is the significand.
  const double scale = __builtin_bit_cast(double, static_cast<unsigned long long>(1023 + fraction_bits - exponent) << 52);
  const double scaled = __builtin_bit_cast(double, magnitude) * scale;
  unsigned kept = static_cast<unsigned>(scaled);
  const double rest = scaled - kept;
  if (rest > 0.5 || (rest == 0.5 && (kept & 1))) ++kept;
  const unsigned encoding = kept + (static_cast<unsigned>(exponent - lowest) << fraction_bits);
  return static_cast<unsigned char>(sign | (encoding > largest ? beyond : encoding));
}

// An fp8 is an f16 with fewer bits: e5m2 its upper byte, e4m3 with another bias.
BOTH __half_raw half_of_fp8(unsigned char x, __nv_fp8_interpretation_t kind) {
  __half_raw out;
  const unsigned sign = (x & 0x80u) << 8, magnitude = x & 0x7fu;
  if (kind == __NV_E5M2) {
    out.x = static_cast<unsigned short>(magnitude > 0x7c ? 0x7fff : sign | magnitude << 8);
  } else if (magnitude == 0x7f) {
    out.x = 0x7fff;
  } else {
    const float value = static_cast<float>(__builtin_bit_cast(_Float16, static_cast<unsigned short>(magnitude << 7))) * 256.0f;
    out.x = static_cast<unsigned short>(sign | __builtin_bit_cast(unsigned short, static_cast<_Float16>(value)));
  }
  return out;
}
BOTH float float_of_fp8(unsigned char x, __nv_fp8_interpretation_t kind) {
  return static_cast<float>(__builtin_bit_cast(_Float16, half_of_fp8(x, kind).x));
}
BOTH float float_of_raw(__half_raw x) { return static_cast<float>(__builtin_bit_cast(_Float16, x.x)); }
BOTH float float_of_raw(__nv_bfloat16_raw x) { return __builtin_bit_cast(float, static_cast<unsigned>(x.x) << 16); }
BOTH unsigned short pair_of(unsigned char low, unsigned char high) { return static_cast<unsigned short>(low | high << 8); }
}  // namespace warpwise_cuda

// --- conversion functions -------------------------------------------------------------------------------

BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s, __nv_fp8_interpretation_t k) { return warpwise_cuda::fp8_of(x, s, k); }
BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return warpwise_cuda::pair_of(warpwise_cuda::fp8_of(x.x, s, k), warpwise_cuda::fp8_of(x.y, s, k));
}
BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if (s == __NV_SATFINITE) {
    unsigned short out;
    if (k == __NV_E4M3) asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
    else asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(out) : "f"(x.y), "f"(x.x));
    return out;
  }
#endif
  return warpwise_cuda::pair_of(warpwise_cuda::fp8_of(x.x, s, k), warpwise_cuda::fp8_of(x.y, s, k));
}
BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  return static_cast<__nv_fp8_storage_t>(__nv_cvt_float2_to_fp8x2(make_float2(x, 0.0f), s, k));
#else
  return warpwise_cuda::fp8_of(x, s, k);
#endif
}
BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return warpwise_cuda::fp8_of(warpwise_cuda::float_of_raw(x), s, k);
}
BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return warpwise_cuda::pair_of(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, s, k), __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, s, k));
}
BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return warpwise_cuda::fp8_of(warpwise_cuda::float_of_raw(x), s, k);
}
BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
  return warpwise_cuda::pair_of(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, s, k), __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, s, k));
}
BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) { return warpwise_cuda::half_of_fp8(x, k); }
BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  unsigned out;
  if (k == __NV_E4M3) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(out) : "h"(x));
  else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(out) : "h"(x));
  return __half2_raw{static_cast<unsigned short>(out), static_cast<unsigned short>(out >> 16)};
#else
  return __half2_raw{warpwise_cuda::half_of_fp8(static_cast<unsigned char>(x), k).x, warpwise_cuda::half_of_fp8(static_cast<unsigned char>(x >> 8), k).x};
#endif
}

// --- the types ------------------------------------------------------------------------------------------

#define WW_METHOD __host__ __device__
// Floating-point sources saturate to the largest number; so do integers.
#define WW_FP8(T, K)                                                                                                                   \
  struct T {                                                                                                                           \
    __nv_fp8_storage_t __x;                                                                                                            \
    T() = default;                                                                                                                     \
    explicit WW_METHOD T(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, K)) {}                                                \
    explicit WW_METHOD T(double f) : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, K)) {}                                              \
    explicit WW_METHOD T(__half f) : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(f), __NV_SATFINITE, K)) {}                    \
    explicit WW_METHOD T(__nv_bfloat16 f) : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(f), __NV_SATFINITE, K)) {}  \
    WW_FP8_INTEGERS(T, K)                                                                                                              \
    explicit WW_METHOD operator float() const { return warpwise_cuda::float_of_fp8(__x, K); }                                          \
    explicit WW_METHOD operator double() const { return static_cast<double>(warpwise_cuda::float_of_fp8(__x, K)); }                    \
    explicit WW_METHOD operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, K)); }                                     \
    explicit WW_METHOD operator __nv_bfloat16() const { return __nv_bfloat16(warpwise_cuda::float_of_fp8(__x, K)); }                   \
    explicit WW_METHOD operator bool() const { return (__x & 0x7f) != 0; }                                                             \
    WW_FP8_TO_INTEGERS(K)                                                                                                              \
  };
#define WW_FP8_FROM(T, K, I) explicit WW_METHOD T(I i) : __x(warpwise_cuda::fp8_of(static_cast<double>(i), __NV_SATFINITE, K)) {}
#define WW_FP8_INTEGERS(T, K)                                                                                       \
  WW_FP8_FROM(T, K, short) WW_FP8_FROM(T, K, unsigned short) WW_FP8_FROM(T, K, int) WW_FP8_FROM(T, K, unsigned)      \
  WW_FP8_FROM(T, K, long) WW_FP8_FROM(T, K, unsigned long) WW_FP8_FROM(T, K, long long) WW_FP8_FROM(T, K, unsigned long long)
#define WW_FP8_TO(K, I) explicit WW_METHOD operator I() const { return static_cast<I>(warpwise_cuda::float_of_fp8(__x, K)); }
#define WW_FP8_TO_INTEGERS(K)                                                                              \
  WW_FP8_TO(K, char) WW_FP8_TO(K, signed char) WW_FP8_TO(K, unsigned char) WW_FP8_TO(K, short)              \
  WW_FP8_TO(K, unsigned short) WW_FP8_TO(K, int) WW_FP8_TO(K, unsigned) WW_FP8_TO(K, long)                  \
  WW_FP8_TO(K, unsigned long) WW_FP8_TO(K, long long) WW_FP8_TO(K, unsigned long long)
WW_FP8(__nv_fp8_e4m3, __NV_E4M3)
WW_FP8(__nv_fp8_e5m2, __NV_E5M2)

#define WW_FP8X2(T, T4, K)                                                                                                                    \
  struct __attribute__((aligned(2))) T {                                                                                                      \
    __nv_fp8x2_storage_t __x;                                                                                                                 \
    T() = default;                                                                                                                            \
    explicit WW_METHOD T(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, K)) {}                                                   \
    explicit WW_METHOD T(double2 f) : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, K)) {}                                                 \
    explicit WW_METHOD T(__half2 f) : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(f), __NV_SATFINITE, K)) {}                      \
    explicit WW_METHOD T(__nv_bfloat162 f) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(f), __NV_SATFINITE, K)) {}    \
    explicit WW_METHOD operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, K)); }                                       \
    explicit WW_METHOD operator float2() const {                                                                                              \
      return make_float2(warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x), K), warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x >> 8), K)); \
    }                                                                                                                                         \
  };                                                                                                                                          \
  struct __attribute__((aligned(4))) T4 {                                                                                                     \
    __nv_fp8x4_storage_t __x;                                                                                                                 \
    T4() = default;                                                                                                                           \
    explicit WW_METHOD T4(float4 f)                                                                                                           \
        : __x(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, K) |                                                            \
              static_cast<unsigned>(__nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, K)) << 16) {}                             \
    explicit WW_METHOD T4(double4 f)                                                                                                          \
        : __x(__nv_cvt_double2_to_fp8x2(make_double2(f.x, f.y), __NV_SATFINITE, K) |                                                          \
              static_cast<unsigned>(__nv_cvt_double2_to_fp8x2(make_double2(f.z, f.w), __NV_SATFINITE, K)) << 16) {}                           \
    explicit WW_METHOD T4(__half2 low, __half2 high) : __x(T(low).__x | static_cast<unsigned>(T(high).__x) << 16) {}                          \
    explicit WW_METHOD T4(__nv_bfloat162 low, __nv_bfloat162 high) : __x(T(low).__x | static_cast<unsigned>(T(high).__x) << 16) {}            \
    explicit WW_METHOD operator float4() const {                                                                                              \
      return make_float4(warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x), K), warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x >> 8), K), \
                         warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x >> 16), K), warpwise_cuda::float_of_fp8(static_cast<unsigned char>(__x >> 24), K)); \
    }                                                                                                                                         \
  };
WW_FP8X2(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
WW_FP8X2(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)

#undef WW_METHOD
#undef WW_FP8
#undef WW_FP8_FROM
#undef WW_FP8_INTEGERS
#undef WW_FP8_TO
#undef WW_FP8_TO_INTEGERS
#undef WW_FP8X2
#undef BOTH
#pragma pop_macro("BOTH")

#include "warpwise/end_device_code.h"
