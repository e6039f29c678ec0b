// 4-bit floating point: __nv_fp4_e2m1, two of them in a byte and four in two bytes (CUDA Math API, "FP4 Intrinsics").
// Format: OCP Microscaling Formats, version 1.0: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and a sign. A NaN becomes 6.
#pragma once

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace warpwise_cuda {
constexpr __host__ __device__ SmallFormat small_format(__nv_fp4_interpretation_t) { return SmallFormat{1, 0, 3, 7, 7, 7}; }
struct Fp4 : SmallerFormat<Fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4x4_storage_t, 4> {
  static constexpr SmallFormat kFormat = small_format(__NV_E2M1);
};
}  // namespace warpwise_cuda

WARPWISE_SMALL_CONVERSIONS(fp4, 4)
WARPWISE_SMALL_TYPE(__nv_fp4_e2m1, SmallNumber, warpwise_cuda::Fp4)
WARPWISE_SMALL_TYPE(__nv_fp4x2_e2m1, SmallPair, warpwise_cuda::Fp4)
WARPWISE_SMALL_TYPE(__nv_fp4x4_e2m1, SmallFour, warpwise_cuda::Fp4)
