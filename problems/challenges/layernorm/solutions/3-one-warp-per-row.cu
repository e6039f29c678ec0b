// solution: one warp per row, sum and sum of squares in one pass, no barriers
#include <cuda_runtime.h>

__global__ void layer_norm(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= N) return;
  const float* x = input + row * C;
  float sum = 0, squares = 0;
  for (int c = lane; c < C; c += 32) {
    sum += x[c];
    squares += x[c] * x[c];
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, step);
    squares += __shfl_xor_sync(0xffffffff, squares, step);
  }
  float mean = sum / C, scale = rsqrtf(fmaxf(squares / C - mean * mean, 0) + eps);
  for (int c = lane; c < C; c += 32) output[row * C + c] = (x[c] - mean) * scale * weight[c] + bias[c];
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  layer_norm<<<(N + 7) / 8, 256>>>(input, weight, bias, output, N, C, eps);
}
