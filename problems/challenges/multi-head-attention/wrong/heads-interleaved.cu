// verdict: wrong-value
// why: a head's values are taken from columns that are h apart
#include <cuda_runtime.h>

constexpr int kThreads = 64;

__device__ float sum_of_block(float x, bool largest) {
  __shared__ float part[kThreads];
  int t = threadIdx.x;
  __syncthreads();
  part[t] = x;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (t < step) part[t] = largest ? fmaxf(part[t], part[t + step]) : part[t] + part[t + step];
    __syncthreads();
  }
  return part[0];
}

__global__ void attention(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int d) {
  extern __shared__ float score[];
  int i = blockIdx.x, column = blockIdx.y * d;
  const float* query = Q + i * d_model + column;
  float most = -INFINITY;
  for (int j = threadIdx.x; j < N; j += kThreads) {
    float sum = 0;
    for (int e = 0; e < d; ++e) sum += query[e] * K[j * d_model + column + e];
    score[j] = sum / sqrtf(d);
    most = fmaxf(most, score[j]);
  }
  most = sum_of_block(most, true);
  float total = 0;
  for (int j = threadIdx.x; j < N; j += kThreads) total += score[j] = expf(score[j] - most);
  total = sum_of_block(total, false);
  for (int e = threadIdx.x; e < d; e += kThreads) {
    float sum = 0;
    for (int j = 0; j < N; ++j) sum += score[j] * V[j * d_model + e * (d_model / d) + column / d];
    output[i * d_model + column + e] = sum / total;
  }
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
  attention<<<dim3(N, h), kThreads, N * sizeof(float)>>>(Q, K, V, output, N, d_model, d_model / h);
}
