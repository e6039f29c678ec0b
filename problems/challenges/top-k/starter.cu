#include <cuda_runtime.h>

__global__ void top_k(const float* input, float* output, int N, int k) {
  // Your code.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N, int k) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  top_k<<<blocks, threads>>>(input, output, N, k);
  cudaDeviceSynchronize();
}
