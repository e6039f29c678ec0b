// verdict: unwritten
// why: each thread writes one column, and rows are longer than blocks
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ float sum_of_block(float x) {
  __shared__ float part[kThreads];
  int t = threadIdx.x;
  __syncthreads();
  part[t] = x;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  return part[0];
}

__global__ void layer_norm(const float* input, const float* weight, const float* bias, float* output, int C, float eps) {
  const float* x = input + blockIdx.x * C;
  float sum = 0;
  for (int c = threadIdx.x; c < C; c += kThreads) sum += x[c];
  float mean = sum_of_block(sum) / C;
  sum = 0;
  for (int c = threadIdx.x; c < C; c += kThreads) sum += (x[c] - mean) * (x[c] - mean);
  float scale = rsqrtf(sum_of_block(sum) / C + eps);
  if (int c = threadIdx.x; c < C) output[blockIdx.x * C + c] = (x[c] - mean) * scale * weight[c] + bias[c];
}

extern "C" void solve(const float* input, const float* weight, const float* bias, float* output, int N, int C, float eps) {
  layer_norm<<<N, kThreads>>>(input, weight, bias, output, C, eps);
}
