#include <cuda_runtime.h>

__global__ void sort_step(float* data, int N) {
  // Your code.
}

// data is a device pointer.
extern "C" void solve(float* data, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  sort_step<<<blocks, threads>>>(data, N);
  cudaDeviceSynchronize();
}
