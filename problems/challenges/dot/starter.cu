#include <cuda_runtime.h>

__global__ void dot(const float* A, const float* B, float* result, int N) {
  // Your code.
}

// A, B and result are device pointers.
extern "C" void solve(const float* A, const float* B, float* result, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  dot<<<blocks, threads>>>(A, B, result, N);
  cudaDeviceSynchronize();
}
