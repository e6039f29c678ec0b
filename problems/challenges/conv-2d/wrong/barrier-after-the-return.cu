// verdict: race
// why: threads outside of the output return before the barrier, which then does not order what they have loaded
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void convolve(const float* input, const float* kernel, float* output, int rows, int cols, int input_rows, int input_cols,
                         int kernel_rows, int kernel_cols) {
  extern __shared__ float tile[];
  int width = kTile + kernel_cols - 1, height = kTile + kernel_rows - 1;
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < height; y += kTile)
    for (int x = threadIdx.x; x < width; x += kTile)
      tile[y * width + x] =
          first_row + y < input_rows && first_column + x < input_cols ? input[(first_row + y) * input_cols + first_column + x] : 0;

  int row = first_row + threadIdx.y, column = first_column + threadIdx.x;
  if (row >= rows || column >= cols) return;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < kernel_rows; ++i)
    for (int j = 0; j < kernel_cols; ++j) sum += tile[(threadIdx.y + i) * width + threadIdx.x + j] * kernel[i * kernel_cols + j];
  output[row * cols + column] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols, int kernel_rows,
                      int kernel_cols) {
  int rows = input_rows - kernel_rows + 1, cols = input_cols - kernel_cols + 1;
  dim3 threads(kTile, kTile);
  dim3 blocks((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  int bytes = (kTile + kernel_rows - 1) * (kTile + kernel_cols - 1) * sizeof(float);
  convolve<<<blocks, threads, bytes>>>(input, kernel, output, rows, cols, input_rows, input_cols, kernel_rows, kernel_cols);
}
