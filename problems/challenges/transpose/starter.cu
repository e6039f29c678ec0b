#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
  // Your code.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(16, 16);
  dim3 blocks((cols + 15) / 16, (rows + 15) / 16);
  transpose<<<blocks, threads>>>(input, output, rows, cols);
  cudaDeviceSynchronize();
}
