// verdict: wrong-value
// why: the difference to the mean is made in half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void batch_norm(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= C) return;
  float mean = 0, variance = 0;
  for (int n = 0; n < N; ++n) mean += input[n * C + c];
  mean /= N;
  for (int n = 0; n < N; ++n) variance += (input[n * C + c] - mean) * (input[n * C + c] - mean);
  variance /= N;
  float scale = gamma[c] / sqrtf(variance + eps);
  for (int n = 0; n < N; ++n)
    output[n * C + c] = __half2float(__hsub(__float2half(input[n * C + c]), __float2half(mean))) * scale + beta[c];
}

extern "C" void solve(const float* input, const float* gamma, const float* beta, float* output, int N, int C, float eps) {
  batch_norm<<<(C + 63) / 64, 64>>>(input, gamma, beta, output, N, C, eps);
}
