// verdict: wrong-value
// why: the maximum of a group is that of its first warp: scores far above it overflow
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ float largest_of_block(float x, float* part) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
  __syncthreads();
  return part[0];
}

// Shared memory: the query, the sum of weighted values, and the weights of a group.
__global__ void attention(const float* Q, const float* K, const float* V, float* output, int N, int d) {
  extern __shared__ float query[];
  float *sum = query + d, *weight = sum + d;
  __shared__ float part[kThreads / 32];
  int t = threadIdx.x;
  for (int e = t; e < d; e += kThreads) {
    query[e] = Q[blockIdx.x * d + e];
    sum[e] = 0;
  }
  __syncthreads();
  float most = -INFINITY, total = 0, scale = rsqrtf(d);
  for (int first = 0; first < N; first += kThreads) {
    int here = min(kThreads, N - first);
    float score = -INFINITY;
    if (t < here) {
      score = 0;
      for (int e = 0; e < d; ++e) score += query[e] * K[(first + t) * d + e];
      score *= scale;
    }
    float larger = fmaxf(most, largest_of_block(score, part));
    float rescale = expf(most - larger);
    weight[t] = expf(score - larger);
    __syncthreads();
    total *= rescale;
    for (int j = 0; j < here; ++j) total += weight[j];
    for (int e = t; e < d; e += kThreads) {
      float s = sum[e] * rescale;
      for (int j = 0; j < here; ++j) s += weight[j] * V[(first + j) * d + e];
      sum[e] = s;
    }
    most = larger;
    __syncthreads();
  }
  for (int e = t; e < d; e += kThreads) output[blockIdx.x * d + e] = sum[e] / total;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
  attention<<<M, kThreads, (2 * d + kThreads) * sizeof(float)>>>(Q, K, V, output, N, d);
}
