// verdict: changed-input
// why: a second launch writes the result back, for a next step that the problem does not ask for
#include <cuda_runtime.h>

__global__ void jacobi(const float* input, float* output, int rows, int cols) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  int i = y * cols + x;
  bool border = x == 0 || y == 0 || x == cols - 1 || y == rows - 1;
  output[i] = border ? input[i] : 0.25f * (input[i - cols] + input[i + cols] + input[i - 1] + input[i + 1]);
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(32, 8);
  dim3 blocks((cols + 31) / 32, (rows + 7) / 8);
  jacobi<<<blocks, threads>>>(input, output, rows, cols);
  jacobi<<<blocks, threads>>>(output, const_cast<float*>(input), rows, cols);
}
