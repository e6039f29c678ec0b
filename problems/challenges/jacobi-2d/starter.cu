#include <cuda_runtime.h>

__global__ void jacobi(const float* input, float* output, int rows, int cols) {
  // Your code.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(32, 8);
  dim3 blocks((cols + 31) / 32, (rows + 7) / 8);
  jacobi<<<blocks, threads>>>(input, output, rows, cols);
  cudaDeviceSynchronize();
}
