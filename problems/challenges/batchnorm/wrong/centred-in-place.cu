// verdict: changed-input
// why: the mean is subtracted from the input itself
#include <cuda_runtime.h>

__global__ void batch_norm(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float mean = 0, variance = 0;
  for (int n = 0; n < N; ++n) mean += input[n * C + c];
  mean /= N;
  for (int n = 0; n < N; ++n) {
    const_cast<float*>(input)[n * C + c] -= mean;
    variance += input[n * C + c] * input[n * C + c];
  }
  variance /= N;
  float scale = gamma[c] / sqrtf(variance + eps);
  for (int n = 0; n < N; ++n) output[n * C + c] = input[n * C + c] * scale + beta[c];
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  batch_norm<<<(C + 63) / 64, 64>>>(input, gamma, beta, output, N, C, eps);
}
