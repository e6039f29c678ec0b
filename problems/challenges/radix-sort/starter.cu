#include <cuda_runtime.h>

__global__ void sort_by_digit(const unsigned int* input, unsigned int* output, int N, int shift) {
  // Your code.
}

// input and output are device pointers.
extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  sort_by_digit<<<blocks, threads>>>(input, output, N, 0);
  cudaDeviceSynchronize();
}
