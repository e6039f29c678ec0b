// verdict: uninitialised
// why: sums are built up in the output, which was never written
#include <cuda_runtime.h>

__global__ void convolve(const float* input, const float* kernel, float* output, int rows, int cols, int input_cols,
                         int kernel_rows, int kernel_cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= cols) return;
  float sum = 0;
  for (int i = 0; i < kernel_rows; ++i)
    for (int j = 0; j < kernel_cols; ++j) sum += input[(row + i) * input_cols + column + j] * kernel[i * kernel_cols + j];
  output[row * cols + column] += sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
                      int kernel_cols) {
  int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
  dim3 threads(16, 16);
  dim3 blocks((cols + 15) / 16, (rows + 15) / 16);
  convolve<<<blocks, threads>>>(input, kernel, output, rows, cols, input_cols, kernel_rows, kernel_cols);
}
