// verdict: wrong-value
// why: windows begin at the stride, as if there were no padding
#include <cuda_runtime.h>

__global__ void max_pool(const float* input, float* output, int H, int W, int rows, int columns, int kernel_size, int stride, int padding) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= rows || x >= columns) return;
  const float* plane = input + size_t(blockIdx.z) * H * W;
  int top = max(0, y * stride - padding), bottom = min(H, y * stride - padding + kernel_size);
  int left = x * stride, right = min(W, x * stride + kernel_size);
  float most = -INFINITY;
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) most = fmaxf(most, plane[row * W + column]);
  output[(size_t(blockIdx.z) * rows + y) * columns + x] = most;
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride, int padding) {
  int rows = (H + 2 * padding - kernel_size) / stride + 1;
  int columns = (W + 2 * padding - kernel_size) / stride + 1;
  dim3 threads(32, 8), blocks((columns + 31) / 32, (rows + 7) / 8, N * C);
  max_pool<<<blocks, threads>>>(input, output, H, W, rows, columns, kernel_size, stride, padding);
}
