#include <cuda_runtime.h>

__global__ void count(const int* input, int* histogram, int N, int num_bins) {
  // Your code.
}

// input and histogram are device pointers; histogram is all zeros.
extern "C" void solve(const int* input, int* histogram, int N, int num_bins) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  count<<<blocks, threads>>>(input, histogram, N, num_bins);
  cudaDeviceSynchronize();
}
