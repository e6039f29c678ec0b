#include <cuda_runtime.h>

__global__ void transform(const float* signal, float* spectrum, int N) {
  // Your code.
}

// signal and spectrum are device pointers.
extern "C" void solve(const float* signal, float* spectrum, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  transform<<<blocks, threads>>>(signal, spectrum, N);
  cudaDeviceSynchronize();
}
