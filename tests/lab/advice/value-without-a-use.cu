// problem: challenges/relu
// verdict: accepted
// says: warning  value-without-a-use.cu:11: reads memory that nothing has written; no output depends on it (C0302)
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) part[threadIdx.x] = input[i];
  __syncthreads();
  float mine = part[threadIdx.x];
  if (mine < 0) mine = 0;
  if (i < N) output[i] = mine;
}

extern "C" void solve(const float* input, float* output, int N) {
  relu<<<(N + 255) / 256, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
