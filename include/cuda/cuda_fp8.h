// 8-bit floating point: __nv_fp8_e4m3, __nv_fp8_e5m2, their pairs and quadruples (CUDA Math API, "FP8 Intrinsics").
// Formats: OCP 8-bit Floating Point, version 1.0. e4m3 has no infinity; NaN is 0x7f. Also scaling factors,
// __nv_fp8_e8m0: powers of two from 2^-127 to 2^127, without a sign; NaN is 0xff (OCP Microscaling Formats, version
// 1.0).
#pragma once

#include "cuda_runtime.h"
#include "warpwise/small_float.h"
#include "warpwise/small_float_types.h"
#include "warpwise/begin_device_code.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#pragma push_macro("BOTH")
#pragma push_macro("METHOD")
#define BOTH static inline __host__ __device__ __attribute__((always_inline))
#define METHOD __host__ __device__ __attribute__((always_inline))

namespace warpwise_cuda {
BOTH unsigned char fp8_of(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const unsigned char largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const auto beyond = static_cast<unsigned char>(saturation == __NV_SATFINITE ? largest : largest + 1);
  return encode_small(x, kind == __NV_E4M3 ? SmallFormat{3, -6, 7, beyond, largest, 0x7f} : SmallFormat{2, -14, 7, beyond, largest, 0x7f});
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

// --- scaling factors ------------------------------------------------------------------------------------

namespace warpwise_cuda {
// The power of two next to |x|, as its exponent plus 127: below |x|, or above it where |x| is no power of two. CUDA
// rounds only up and down.
BOTH unsigned char e8m0_of(double x, __nv_saturation_t saturation, cudaRoundMode rounding) {
  assert(rounding == cudaRoundZero || rounding == cudaRoundPosInf);
  const unsigned long long magnitude = __builtin_bit_cast(unsigned long long, x) & 0x7fffffffffffffffull;
  if (magnitude > 0x7ff0000000000000ull) return 0xff;
  const bool between = magnitude & 0xfffffffffffffull;
  int scale = static_cast<int>(magnitude >> 52) - 1023 + 127 + (between && rounding == cudaRoundPosInf ? 1 : 0);
  // CUDA goes through a float, so rounding down a finite double never overflows.
  if (rounding == cudaRoundZero && scale > 254 && magnitude < 0x7ff0000000000000ull) scale = 254;
  return static_cast<unsigned char>(scale < 0 ? 0 : scale < 255 ? scale : saturation == __NV_SATFINITE ? 254 : 255);
}
BOTH float float_of_e8m0(unsigned char x) {
  return __builtin_bit_cast(float, x == 255 ? 0x7fff0000u : x == 0 ? 0x00400000u : static_cast<unsigned>(x) << 23);
}
}  // namespace warpwise_cuda

BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t s, cudaRoundMode r) { return warpwise_cuda::e8m0_of(x, s, r); }
BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t s, cudaRoundMode r) {
  // A double from the bits of a float: device code may flush such small floats to zero.
  return warpwise_cuda::e8m0_of(warpwise_cuda::exact_double(x), s, r);
}
BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t s, cudaRoundMode r) {
  return __nv_cvt_float_to_e8m0(warpwise_cuda::float_of_raw(x), s, r);
}
BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t s, cudaRoundMode r) {
  return warpwise_cuda::pair_of(__nv_cvt_double_to_e8m0(x.x, s, r), __nv_cvt_double_to_e8m0(x.y, s, r));
}
BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t s, cudaRoundMode r) {
  return warpwise_cuda::pair_of(__nv_cvt_float_to_e8m0(x.x, s, r), __nv_cvt_float_to_e8m0(x.y, s, r));
}
BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t s, cudaRoundMode r) {
  return warpwise_cuda::pair_of(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.x}, s, r), __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw{x.y}, s, r));
}
BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(__builtin_bit_cast(unsigned, warpwise_cuda::float_of_e8m0(x)) >> 16)};
}
BOTH __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  return __nv_bfloat162_raw{__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x)).x, __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(x >> 8)).x};
}

// --- the types ------------------------------------------------------------------------------------------

namespace warpwise_cuda {
template <__nv_fp8_interpretation_t kind>
struct Fp8 : SmallFormatOf<Fp8<kind>, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8> {
  static constexpr unsigned kMagnitude = 0x7f;
  static METHOD unsigned char of(float f) { return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind); }
  static METHOD unsigned char of(double f) { return fp8_of(f, __NV_SATFINITE, kind); }
  template <class I> static METHOD unsigned char of_integer(I i) { return of(static_cast<double>(i)); }
  static METHOD float value(unsigned char x) { return float_of_fp8(x, kind); }
  static METHOD __half half(unsigned char x) { return __half(__nv_cvt_fp8_to_halfraw(x, kind)); }
  static METHOD unsigned short two_of(float2 f) { return __nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind); }
  static METHOD unsigned short two_of(double2 f) { return __nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, kind); }
  static METHOD __half2 halves(unsigned short x) { return __half2(__nv_cvt_fp8x2_to_halfraw2(x, kind)); }
};
struct E8m0 : SmallFormatOf<E8m0, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8> {
  static constexpr unsigned kMagnitude = 0;
  static METHOD unsigned char of(float f) { return __nv_cvt_float_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf); }
  static METHOD unsigned char of(double f) { return __nv_cvt_double_to_e8m0(f, __NV_SATFINITE, cudaRoundPosInf); }
  // A double does not hold all of 64 bits. For rounding up only the highest bit counts, and whether there is another.
  template <class I> static METHOD unsigned char of_integer(I i) {
    const unsigned long long magnitude = i < I(0) ? 0 - static_cast<unsigned long long>(i) : static_cast<unsigned long long>(i);
    const unsigned long long exact = magnitude >> 53 ? magnitude >> 11 << 11 | (magnitude & 2047 ? 1 << 11 : 0) : magnitude;
    return of(static_cast<double>(exact));
  }
  static METHOD float value(unsigned char x) { return float_of_e8m0(x); }
  static METHOD __half half(unsigned char x) { return __half(float_of_e8m0(x)); }
};
}  // namespace warpwise_cuda

WARPWISE_SMALL_TYPE(__nv_fp8_e4m3, SmallNumber, warpwise_cuda::Fp8<__NV_E4M3>)
WARPWISE_SMALL_TYPE(__nv_fp8x2_e4m3, SmallPair, warpwise_cuda::Fp8<__NV_E4M3>)
WARPWISE_SMALL_TYPE(__nv_fp8x4_e4m3, SmallFour, warpwise_cuda::Fp8<__NV_E4M3>)
WARPWISE_SMALL_TYPE(__nv_fp8_e5m2, SmallNumber, warpwise_cuda::Fp8<__NV_E5M2>)
WARPWISE_SMALL_TYPE(__nv_fp8x2_e5m2, SmallPair, warpwise_cuda::Fp8<__NV_E5M2>)
WARPWISE_SMALL_TYPE(__nv_fp8x4_e5m2, SmallFour, warpwise_cuda::Fp8<__NV_E5M2>)
WARPWISE_SMALL_TYPE(__nv_fp8_e8m0, SmallNumber, warpwise_cuda::E8m0)
WARPWISE_SMALL_TYPE(__nv_fp8x2_e8m0, SmallPair, warpwise_cuda::E8m0)
WARPWISE_SMALL_TYPE(__nv_fp8x4_e8m0, SmallFour, warpwise_cuda::E8m0)

#pragma pop_macro("METHOD")
#pragma pop_macro("BOTH")

#include "warpwise/end_device_code.h"
