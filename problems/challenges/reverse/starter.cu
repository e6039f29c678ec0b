#include <cuda_runtime.h>

__global__ void reverse(float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // Your code.
}

// input is a device pointer.
extern "C" void solve(float* input, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  reverse<<<blocks, threads>>>(input, N);
  cudaDeviceSynchronize();
}
