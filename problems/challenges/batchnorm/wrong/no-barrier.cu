// verdict: race
// why: the warps' sums are added before they are there
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__device__ float sum_of_column(float x) {
  __shared__ float part[kWarps][32];
  __syncthreads();
  part[threadIdx.y][threadIdx.x] = x;
  float sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += part[w][threadIdx.x];
  return sum;
}

__global__ void batch_norm(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  int c = blockIdx.x * 32 + threadIdx.x;
  bool here = c < C;
  float sum = 0;
  for (int n = threadIdx.y; n < N && here; n += kWarps) sum += input[n * C + c];
  float mean = sum_of_column(sum) / N;
  sum = 0;
  for (int n = threadIdx.y; n < N && here; n += kWarps) {
    float distance = input[n * C + c] - mean;
    sum += distance * distance;
  }
  float variance = sum_of_column(sum) / N;
  if (!here) return;
  float scale = gamma[c] * rsqrtf(variance + eps), shift = beta[c];
  for (int n = threadIdx.y; n < N; n += kWarps) output[n * C + c] = (input[n * C + c] - mean) * scale + shift;
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  batch_norm<<<(C + 31) / 32, dim3(32, kWarps)>>>(input, gamma, beta, output, N, C, eps);
}
