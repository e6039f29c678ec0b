// 6-bit floating point: __nv_fp6_e3m2 and __nv_fp6_e2m3, their pairs and quadruples, each number in a byte (CUDA Math
// API, "FP6 Intrinsics"). Formats: OCP Microscaling Formats, version 1.0. There are no infinities and no NaN: a NaN
// becomes the largest number.
#pragma once

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace warpwise_cuda {
constexpr __host__ __device__ SmallFormat small_format(__nv_fp6_interpretation_t kind) {
  return kind == __NV_E2M3 ? SmallFormat{3, 0, 5, 0x1f, 0x1f, 0x1f} : SmallFormat{2, -2, 5, 0x1f, 0x1f, 0x1f};
}
template <__nv_fp6_interpretation_t kind>
struct Fp6 : SmallerFormat<Fp6<kind>, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8> {
  static constexpr SmallFormat kFormat = small_format(kind);
};
}  // namespace warpwise_cuda

WARPWISE_SMALL_CONVERSIONS(fp6, 8)
WARPWISE_SMALL_TYPE(__nv_fp6_e3m2, SmallNumber, warpwise_cuda::Fp6<__NV_E3M2>)
WARPWISE_SMALL_TYPE(__nv_fp6x2_e3m2, SmallPair, warpwise_cuda::Fp6<__NV_E3M2>)
WARPWISE_SMALL_TYPE(__nv_fp6x4_e3m2, SmallFour, warpwise_cuda::Fp6<__NV_E3M2>)
WARPWISE_SMALL_TYPE(__nv_fp6_e2m3, SmallNumber, warpwise_cuda::Fp6<__NV_E2M3>)
WARPWISE_SMALL_TYPE(__nv_fp6x2_e2m3, SmallPair, warpwise_cuda::Fp6<__NV_E2M3>)
WARPWISE_SMALL_TYPE(__nv_fp6x4_e2m3, SmallFour, warpwise_cuda::Fp6<__NV_E2M3>)
