// verdict: wrong-value
// why: nnz is taken for the length of a row
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < N; ++k) {
    float a = A[row * N + k];
    if (a != 0) sum += a * x[k];
  }
  y[row] = sum;
}

extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  multiply<<<(M + 63) / 64, 64>>>(A, x, y, M, N < nnz / M ? N : nnz / M);
}
