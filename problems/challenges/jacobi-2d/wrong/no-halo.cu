// verdict: uninitialised
// why: the halo is not loaded
#include <cuda_runtime.h>

constexpr int kWidth = 32, kHeight = 8;

__global__ void jacobi(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  int left = blockIdx.x * kWidth - 1, top = blockIdx.y * kHeight - 1;
  {
    int a = threadIdx.y + 1, b = threadIdx.x + 1;
    if (top + a >= 0 && top + a < rows && left + b >= 0 && left + b < cols) tile[a][b] = input[(top + a) * cols + left + b];
  }
  __syncthreads();
  int b = threadIdx.x + 1, a = threadIdx.y + 1, x = left + b, y = top + a;
  if (x >= cols || y >= rows) return;
  bool border = x == 0 || y == 0 || x == cols - 1 || y == rows - 1;
  output[y * cols + x] = border ? tile[a][b] : 0.25f * (tile[a - 1][b] + tile[a + 1][b] + tile[a][b - 1] + tile[a][b + 1]);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(kWidth, kHeight);
  dim3 blocks((cols + kWidth - 1) / kWidth, (rows + kHeight - 1) / kHeight);
  jacobi<<<blocks, threads>>>(input, output, rows, cols);
}
