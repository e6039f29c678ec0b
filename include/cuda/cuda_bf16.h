// __nv_bfloat16 and __nv_bfloat162: the upper half of a float (CUDA Math API, "Bfloat16 Precision Intrinsics").
#pragma once

#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "warpwise/saturate.h"
#include "warpwise/begin_device_code.h"

namespace warpwise_cuda {
// To nearest, ties to even. From compute capability 8.0 on there is an instruction for one and for two; elsewhere, and of
// what the compiler knows, it is integer arithmetic, some ten instructions for each.
static inline __host__ __device__ __attribute__((always_inline)) __bf16 bfloat16_of(float f) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (!__builtin_constant_p(f)) {
    unsigned short rounded;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(f));
    return __builtin_bit_cast(__bf16, rounded);
  }
#endif
  const unsigned int bits = __builtin_bit_cast(unsigned int, f);
  const unsigned int rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return __builtin_bit_cast(__bf16, static_cast<unsigned short>(f != f ? 0x7fff : rounded));
}
// Both in one word, the first in its lower half.
static inline __host__ __device__ __attribute__((always_inline)) unsigned int bfloat16_pair_of(float first, float second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (!__builtin_constant_p(first) || !__builtin_constant_p(second)) {
    unsigned int both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
    return both;
  }
#endif
  return __builtin_bit_cast(unsigned short, bfloat16_of(first)) |
         static_cast<unsigned int>(__builtin_bit_cast(unsigned short, bfloat16_of(second))) << 16;
}
// From a double in one rounding: first to a float with the lost bits kept in the last one (round to odd).
static inline __host__ __device__ __attribute__((always_inline)) __bf16 bfloat16_of(double d) {
  const float f = static_cast<float>(d);
  unsigned int bits = __builtin_bit_cast(unsigned int, f);
  const double back = f;
  const bool inexact = back != d && f == f;
  const bool too_big = __builtin_fabs(back) > __builtin_fabs(d);
  if (inexact) bits = (bits - (too_big ? 1 : 0)) | 1;
  return bfloat16_of(__builtin_bit_cast(float, bits));
}
// From an integer in one rounding: if a double cannot hold it, the last twelve bits are replaced by one that says
// whether any of them was set.
template <class I> static inline __host__ __device__ __attribute__((always_inline)) __bf16 bfloat16_of_integer(I i) {
  double d = static_cast<double>(i);
  if (__builtin_fabs(d) >= 0x1p53) d = static_cast<double>(static_cast<I>((i & ~static_cast<I>(4095)) | (i & 4095 ? 2048 : 0)));
  return bfloat16_of(d);
}
static inline __host__ __device__ __attribute__((always_inline)) float float_of(__bf16 b) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(__builtin_bit_cast(unsigned short, b)) << 16);
}
}  // namespace warpwise_cuda

#define WW_T __nv_bfloat16
#define WW_T2 __nv_bfloat162
#define WW_OTHER __half
#define WW_RAW __nv_bfloat16_raw
#define WW_RAW2 __nv_bfloat162_raw
#define WW_NATIVE __bf16
#define WW_NAME(a, b) a##bfloat16##b
#define WW_NAME2(a, b) a##bfloat162##b
#define WW_NAME2_TO_FLOAT2 __bfloat1622float2
#define WW_PAIR_OF __bfloat162bfloat162
#define WW_PAIR_OF_TWO __halves2bfloat162
#define WW_MAKE2 make_bfloat162
#define WW_LOW __low2bfloat16
#define WW_HIGH __high2bfloat16
#define WW_LOW2 __low2bfloat162
#define WW_HIGH2 __high2bfloat162
#define WW_LOWS2 __lows2bfloat162
#define WW_HIGHS2 __highs2bfloat162
#define WW_SWAP2 __lowhigh2highlow
#define WW_PTX "bf16"
#define WW_FMA_ARCH 800
#define WW_SPELL_ARCH 900
#define WW_TANH_ARCH 900
#define WW_FROM_FLOAT(f) warpwise_cuda::bfloat16_of(f)
#define WW_PAIR_FROM_FLOATS(a, b) warpwise_cuda::bfloat16_pair_of(a, b)
#define WW_FROM_DOUBLE(f) warpwise_cuda::bfloat16_of(f)
#define WW_FROM_INTEGER(i) warpwise_cuda::bfloat16_of_integer(i)
#define WW_TO_FLOAT(h) warpwise_cuda::float_of(h)
#include "warpwise/half.inc"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// Between the two 16-bit types: through the float that holds either.
inline __host__ __device__ __attribute__((always_inline)) __half::__half(const __nv_bfloat16& other) : __half(static_cast<float>(other)) {}
inline __host__ __device__ __attribute__((always_inline)) __nv_bfloat16::__nv_bfloat16(const __half& other) : __nv_bfloat16(static_cast<float>(other)) {}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fffu)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fu)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000u)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80u)

#include "warpwise/end_device_code.h"
