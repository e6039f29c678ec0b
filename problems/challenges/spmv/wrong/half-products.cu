// verdict: wrong-value
// why: the products are made in half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < N; ++k) {
    float a = A[row * N + k];
    if (a != 0) sum += __half2float(__hmul(__float2half(a), __float2half(x[k])));
  }
  y[row] = sum;
}

extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  multiply<<<(M + 63) / 64, 64>>>(A, x, y, M, N);
}
