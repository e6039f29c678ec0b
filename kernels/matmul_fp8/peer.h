// cuBLASLt's product of fp8, with a scale for each row of a and of b.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "../parts/cublas_lt.h"

inline void solve_by_cublaslt(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, const float* scale_a,
                              const float* scale_b, __nv_bfloat16* c, int m, int n, int k, bool fast_accumulation) {
  static LtProduct product;
  const float one = 1, zero = 0;
  product.run({LtProduct::kE4m3, LtProduct::kBfloat16, LtProduct::kFp32, LtProduct::kInFp32, scale_a, scale_b,
               fast_accumulation},
              a, b, c, m, n, k, &one, &zero);
}
