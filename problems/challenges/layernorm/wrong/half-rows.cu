// verdict: wrong-value
// why: the difference to the mean is made in half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void layer_norm(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* x = input + row * C;
  float mean = 0, variance = 0;
  for (int c = 0; c < C; ++c) mean += x[c];
  mean /= C;
  for (int c = 0; c < C; ++c) variance += (x[c] - mean) * (x[c] - mean);
  variance /= C;
  float scale = 1 / sqrtf(variance + eps);
  for (int c = 0; c < C; ++c)
    output[row * C + c] = __half2float(__hsub(__float2half(x[c]), __float2half(mean))) * scale * weight[c] + bias[c];
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  layer_norm<<<(N + 63) / 64, 64>>>(input, weight, bias, output, N, C, eps);
}
