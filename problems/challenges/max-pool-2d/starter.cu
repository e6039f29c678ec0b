#include <cuda_runtime.h>

__global__ void max_pool(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride, int padding) {
  // Your code.
}

// input and output are device pointers.
extern "C" void solve(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride, int padding) {
  int rows = (H + 2 * padding - kernel_size) / stride + 1;
  int columns = (W + 2 * padding - kernel_size) / stride + 1;
  int total = N * C * rows * columns;
  max_pool<<<(total + 255) / 256, 256>>>(input, output, N, C, H, W, kernel_size, stride, padding);
  cudaDeviceSynchronize();
}
