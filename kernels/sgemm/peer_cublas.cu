// peer: cuBLAS
// library: libcublas.so.13 libcublas.so.12
//
// cublasSgemm in plain fp32. It stores by columns, so what it is asked for is cᵀ = bᵀ · aᵀ.
#include "../parts/cublas.h"

extern "C" void solve(const float* a, const float* b, float* c, int m, int n, int k) {
  const Cublas& cublas = Cublas::get();
  const float one = 1, zero = 0;
  Cublas::must(cublas.sgemm(cublas.handle, Cublas::kNot, Cublas::kNot, n, m, k, &one, b, n, a, k, &zero, c, n),
               "cublasSgemm");
}
