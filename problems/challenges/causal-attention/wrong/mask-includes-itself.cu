// verdict: wrong-value
// why: a token does not see itself, and the first sees nothing
#include <cuda_runtime.h>

__global__ void scores(const float* Q, const float* K, float* S, int M, int d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= M) return;
  float sum = 0;
  for (int e = 0; e < d; ++e) sum += Q[i * d + e] * K[j * d + e];
  S[i * M + j] = j < i ? sum / sqrtf(d) : -INFINITY;
}

__global__ void softmax(float* S, int M) {
  __shared__ float part[128];
  float* row = S + blockIdx.x * M;
  int t = threadIdx.x;
  float most = -INFINITY;
  for (int j = t; j < M; j += 128) most = fmaxf(most, row[j]);
  part[t] = most;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) part[t] = fmaxf(part[t], part[t + step]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < M; j += 128) sum += row[j] = expf(row[j] - most);
  part[t] = sum;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  sum = part[0];
  for (int j = t; j < M; j += 128) row[j] /= sum;
}

__global__ void weigh(const float* S, const float* V, float* output, int M, int d) {
  int e = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || e >= d) return;
  float sum = 0;
  for (int j = 0; j < M; ++j) sum += S[i * M + j] * V[j * d + e];
  output[i * d + e] = sum;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int d) {
  float* S;
  cudaMalloc(&S, size_t(M) * M * sizeof(float));
  dim3 threads(16, 16);
  scores<<<dim3((M + 15) / 16, (M + 15) / 16), threads>>>(Q, K, S, M, d);
  softmax<<<M, 128>>>(S, M);
  weigh<<<dim3((d + 15) / 16, (M + 15) / 16), threads>>>(S, V, output, M, d);
  cudaFree(S);
}
