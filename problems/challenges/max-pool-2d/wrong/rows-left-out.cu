// verdict: uninitialised
// why: each thread takes one row, and windows need more
#include <cuda_runtime.h>

constexpr int kColumns = 32, kRows = 4;

__global__ void max_pool(const float* input, float* output, int H, int W, int rows, int columns, int kernel_size, int stride, int padding) {
  extern __shared__ float strip[];
  const float* plane = input + size_t(blockIdx.z) * H * W;
  int x = blockIdx.x * kColumns + threadIdx.x, first = blockIdx.y * kRows;
  int top = first * stride - padding, height = (kRows - 1) * stride + kernel_size;
  int left = max(0, x * stride - padding), right = min(W, x * stride - padding + kernel_size);
  if (int a = threadIdx.y; a < height) {
    int row = top + a;
    float most = -INFINITY;
    if (row >= 0 && row < H && x < columns)
      for (int column = left; column < right; ++column) most = fmaxf(most, plane[row * W + column]);
    strip[a * kColumns + threadIdx.x] = most;
  }
  __syncthreads();
  int y = first + threadIdx.y;
  if (y >= rows || x >= columns) return;
  float most = -INFINITY;
  for (int a = 0; a < kernel_size; ++a) most = fmaxf(most, strip[(threadIdx.y * stride + a) * kColumns + threadIdx.x]);
  output[(size_t(blockIdx.z) * rows + y) * columns + x] = most;
}

extern "C" void solve(const float* input, float* output, int N, int C, int H, int W, int kernel_size, int stride, int padding) {
  int rows = (H + 2 * padding - kernel_size) / stride + 1;
  int columns = (W + 2 * padding - kernel_size) / stride + 1;
  dim3 threads(kColumns, kRows), blocks((columns + kColumns - 1) / kColumns, (rows + kRows - 1) / kRows, N * C);
  int bytes = ((kRows - 1) * stride + kernel_size) * kColumns * sizeof(float);
  max_pool<<<blocks, threads, bytes>>>(input, output, H, W, rows, columns, kernel_size, stride, padding);
}
