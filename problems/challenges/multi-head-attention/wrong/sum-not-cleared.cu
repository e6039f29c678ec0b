// verdict: uninitialised
// why: the sums of weighted values are not set to zero
#include <cuda_runtime.h>

constexpr int kThreads = 64, kTile = 32;

// Shared memory: a tile of keys, a tile of values, and a sum of weighted values per thread.
__global__ void attention(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int d) {
  extern __shared__ float keys[];
  float *values = keys + kTile * d, *sum = values + kTile * d;
  int t = threadIdx.x, i = blockIdx.x * kThreads + t, column = blockIdx.y * d;

  float most = -INFINITY, total = 0, scale = rsqrtf(d);
  for (int first = 0; first < N; first += kTile) {
    int here = min(kTile, N - first);
    __syncthreads();
    for (int k = t; k < here * d; k += kThreads) {
      keys[k] = K[(first + k / d) * d_model + column + k % d];
      values[k] = V[(first + k / d) * d_model + column + k % d];
    }
    __syncthreads();
    if (i >= N) continue;
    for (int j = 0; j < here; ++j) {
      float score = 0;
      for (int e = 0; e < d; ++e) score += Q[i * d_model + column + e] * keys[j * d + e];
      score *= scale;
      float larger = fmaxf(most, score), rescale = expf(most - larger), weight = expf(score - larger);
      total = total * rescale + weight;
      for (int e = 0; e < d; ++e) sum[e * kThreads + t] = sum[e * kThreads + t] * rescale + weight * values[j * d + e];
      most = larger;
    }
  }
  if (i >= N) return;
  for (int e = 0; e < d; ++e) output[i * d_model + column + e] = sum[e * kThreads + t] / total;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model, int h) {
  int d = d_model / h;
  size_t bytes = (2 * kTile + kThreads) * d * sizeof(float);
  cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
  attention<<<dim3((N + kThreads - 1) / kThreads, h), kThreads, bytes>>>(Q, K, V, output, N, d_model, d);
}
