// verdict: race
// why: pieces of one column are added without atomics
#include <cuda_runtime.h>

__global__ void add_up(const float* input, float* sums, float* squares, int N, int C, int piece) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float sum = 0, square = 0;
  for (int n = blockIdx.y * piece; n < min(N, int(blockIdx.y + 1) * piece); ++n) {
    float x = input[n * C + c];
    sum += x;
    square += x * x;
  }
  sums[c] += sum;
  atomicAdd(&squares[c], square);
}

__global__ void normalise(const float* input, const float* sums, const float* squares, const float* gamma, const float* beta,
                          float* output, int N, int C, float eps) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float mean = sums[c] / N, variance = fmaxf(squares[c] / N - mean * mean, 0);
  float scale = gamma[c] * rsqrtf(variance + eps), shift = beta[c];
  for (int n = blockIdx.y; n < N; n += gridDim.y) output[n * C + c] = (input[n * C + c] - mean) * scale + shift;
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  constexpr int kPiece = 64;
  float* sums;
  cudaMalloc(&sums, 2 * C * sizeof(float));
  cudaMemset(sums, 0, 2 * C * sizeof(float));
  dim3 blocks((C + 127) / 128, (N + kPiece - 1) / kPiece);
  add_up<<<blocks, 128>>>(input, sums, sums + C, N, C, kPiece);
  normalise<<<blocks, 128>>>(input, sums, sums + C, gamma, beta, output, N, C, eps);
  cudaFree(sums);
}
