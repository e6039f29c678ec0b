// peer: cuBLAS
// library: libcublas.so.13 libcublas.so.12
//
// cublasGemmEx with sums in fp32, by the algorithm that it chooses itself.
#include <cuda_bf16.h>

#include "../parts/cublas.h"

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n, int k) {
  const Cublas& cublas = Cublas::get();
  const float one = 1, zero = 0;
  Cublas::must(
      cublas.gemm_ex(cublas.handle, Cublas::kTransposed, Cublas::kNot, n, m, k, &one, b, Cublas::kBfloat16, k, a,
                     Cublas::kBfloat16, k, &zero, c, Cublas::kBfloat16, n, Cublas::kFp32, Cublas::kItsChoice),
      "cublasGemmEx");
}
