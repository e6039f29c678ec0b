#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
                         int kernel_cols) {
  // Your code.
}

// input, kernel and output are device pointers.
extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
                      int kernel_cols) {
  int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
  dim3 threads(16, 16);
  dim3 blocks((cols + 15) / 16, (rows + 15) / 16);
  convolve<<<blocks, threads>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
  cudaDeviceSynchronize();
}
