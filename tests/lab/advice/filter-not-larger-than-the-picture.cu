// problem: challenges/conv-2d
// verdict: out-of-bounds
// says: the smallest found that fails
// not: (0 elements
// As many outputs as inputs. A smaller case must still have an output.
#include <cuda_runtime.h>

__global__ void filter(const float* in, const float* taps, float* out, int rows, int cols, int tap_rows, int tap_cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows || c >= cols) return;
  float sum = 0;
  for (int y = 0; y < tap_rows && r + y < rows; ++y)
    for (int x = 0; x < tap_cols && c + x < cols; ++x) sum += in[(r + y) * cols + c + x] * taps[y * tap_cols + x];
  out[r * cols + c] = sum;
}

extern "C" void solve(const float* input, const float* kernel, float* output, int input_rows, int input_cols,
                      int kernel_rows, int kernel_cols) {
  dim3 block(16, 16), grid((input_cols + 15) / 16, (input_rows + 15) / 16);
  filter<<<grid, block>>>(input, kernel, output, input_rows, input_cols, kernel_rows, kernel_cols);
}
