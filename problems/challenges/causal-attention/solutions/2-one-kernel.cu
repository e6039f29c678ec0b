// solution: a block per token, the tokens before it in groups of 64, a running maximum; what is masked is never computed
#include <cuda_runtime.h>

constexpr int kThreads = 64;

// Shared memory: the query, the sum of weighted values, and the weights of a group.
__global__ void attention(const float* Q, const float* K, const float* V, float* output, int d) {
  extern __shared__ float query[];
  float *sum = query + d, *weight = sum + d;
  int t = threadIdx.x, keys = blockIdx.x + 1;
  for (int e = t; e < d; e += kThreads) {
    query[e] = Q[blockIdx.x * d + e];
    sum[e] = 0;
  }
  __syncthreads();
  float most = -INFINITY, total = 0, scale = rsqrtf(d);
  for (int first = 0; first < keys; first += kThreads) {
    int here = min(kThreads, keys - first);
    if (t < here) {
      float score = 0;
      for (int e = 0; e < d; ++e) score += query[e] * K[(first + t) * d + e];
      weight[t] = score * scale;
    }
    __syncthreads();
    float larger = most;
    for (int j = 0; j < here; ++j) larger = fmaxf(larger, weight[j]);
    float rescale = expf(most - larger);
    total *= rescale;
    for (int j = 0; j < here; ++j) total += expf(weight[j] - larger);
    for (int e = t; e < d; e += kThreads) {
      float s = sum[e] * rescale;
      for (int j = 0; j < here; ++j) s += expf(weight[j] - larger) * V[(first + j) * d + e];
      sum[e] = s;
    }
    most = larger;
    __syncthreads();
  }
  for (int e = t; e < d; e += kThreads) output[blockIdx.x * d + e] = sum[e] / total;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int d) {
  attention<<<M, kThreads, (2 * d + kThreads) * sizeof(float)>>>(Q, K, V, output, d);
}
