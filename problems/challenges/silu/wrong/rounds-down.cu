// verdict: unwritten
// why: the number of blocks is rounded down
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] / (1.0f + expf(-input[i]));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = N < threads ? 1 : N / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
