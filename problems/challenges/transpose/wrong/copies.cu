// verdict: wrong-value
// why: copies without transposing
#include <cuda_runtime.h>

__global__ void transpose(const float* input, float* output, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) output[row * cols + column] = input[row * cols + column];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(16, 16);
  dim3 blocks((cols + 15) / 16, (rows + 15) / 16);
  transpose<<<blocks, threads>>>(input, output, rows, cols);
}
