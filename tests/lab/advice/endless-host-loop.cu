// problem: challenges/relu
// verdict: too-slow
// says: its host code is still running
// says: endless-host-loop.cu:15
// not: signal
// not: __syncthreads
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

extern "C" void solve(const float* input, float* output, int N) {
  volatile int blocks = 1;
  while (blocks != 0) blocks = 1 + blocks % 2;
  relu<<<blocks, 256>>>(input, output, N);
}
