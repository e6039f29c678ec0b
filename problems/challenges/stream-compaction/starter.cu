#include <cuda_runtime.h>

__global__ void compact(const float* A, int N, float* out) {
  // Your code.
}

// A and out are device pointers; out is all zeros.
extern "C" void solve(const float* A, int N, float* out) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  compact<<<blocks, threads>>>(A, N, out);
  cudaDeviceSynchronize();
}
