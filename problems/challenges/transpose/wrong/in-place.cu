// verdict: changed-input
// why: sets each element to zero when it has been moved
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || column >= cols) return;
  output[column * rows + row] = input[row * cols + column];
  const_cast<float*>(input)[row * cols + column] = 0;
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(16, 16);
  dim3 blocks((cols + 15) / 16, (rows + 15) / 16);
  transpose<<<blocks, threads>>>(input, output, rows, cols);
}
