// verdict: failed-call
// why: the last kernel is launched for N columns instead of d
#include <cuda_runtime.h>

__global__ void scores(const float* Q, const float* K, float* S, int M, int N, int d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int e = 0; e < d; ++e) sum += Q[i * d + e] * K[j * d + e];
  S[i * N + j] = sum / sqrtf(d);
}

__global__ void softmax(float* S, int N) {
  __shared__ float part[128];
  float* row = S + blockIdx.x * N;
  int t = threadIdx.x;
  float most = -INFINITY;
  for (int j = t; j < N; j += 128) most = fmaxf(most, row[j]);
  part[t] = most;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) part[t] = fmaxf(part[t], part[t + step]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < N; j += 128) sum += row[j] = expf(row[j] - most);
  part[t] = sum;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  sum = part[0];
  for (int j = t; j < N; j += 128) row[j] /= sum;
}

__global__ void weigh(const float* S, const float* V, float* output, int M, int N, int d) {
  int e = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= M || e >= d) return;
  float sum = 0;
  for (int j = 0; j < N; ++j) sum += S[i * N + j] * V[j * d + e];
  output[i * d + e] = sum;
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int M, int N, int d) {
  float* S;
  cudaMalloc(&S, size_t(M) * N * sizeof(float));
  dim3 threads(16, 16);
  scores<<<dim3((N + 15) / 16, (M + 15) / 16), threads>>>(Q, K, S, M, N, d);
  softmax<<<M, 128>>>(S, N);
  weigh<<<dim3((N + 15) / 16 - 1, (M + 15) / 16), threads>>>(S, V, output, M, N, d);
  cudaFree(S);
}
