// verdict: uninitialised
// why: begins with what is in the output, which was never written
#include <cuda_runtime.h>

__global__ void max_pool(const float* input, float* output, int total, int H, int W, int rows, int columns, int kernel_size,
                         int stride, int padding) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= total) return;
  int x = i % columns, y = i / columns % rows, plane = i / (columns * rows);
  float most = output[i];
  for (int a = 0; a < kernel_size; ++a)
    for (int b = 0; b < kernel_size; ++b) {
      int row = y * stride - padding + a, column = x * stride - padding + b;
      if (row >= 0 && row < H && column >= 0 && column < W) most = fmaxf(most, input[(plane * H + row) * W + column]);
    }
  output[i] = most;
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride, int padding) {
  int rows = (H + 2 * padding - kernel_size) / stride + 1;
  int columns = (W + 2 * padding - kernel_size) / stride + 1;
  int total = N * C * rows * columns;
  max_pool<<<(total + 255) / 256, 256>>>(input, output, total, H, W, rows, columns, kernel_size, stride, padding);
}
