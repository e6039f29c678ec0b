#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* x, float* y, int M, int N) {
  // Your code.
}

// A, x and y are device pointers.
extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  int threads = 256;
  int blocks = (M + threads - 1) / threads;
  multiply<<<blocks, threads>>>(A, x, y, M, N);
  cudaDeviceSynchronize();
}
