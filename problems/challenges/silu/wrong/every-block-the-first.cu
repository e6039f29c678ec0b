// verdict: unwritten
// why: leaves out the block index
#include <cuda_runtime.h>

__global__ void silu(const float* input, float* output, int N) {
  int i = threadIdx.x;
  if (i < N) output[i] = input[i] / (1.0f + expf(-input[i]));
}

extern "C" void solve(const float* input, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  silu<<<blocks, threads>>>(input, output, N);
}
