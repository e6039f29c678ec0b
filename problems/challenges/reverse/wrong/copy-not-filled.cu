// verdict: uninitialised
// why: the copy is allocated and never filled
#include <cuda_runtime.h>

__global__ void write_reversed(const float* copy, float* input, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) input[i] = copy[N - 1 - i];
}

extern "C" void solve(float* input, int N) {
  float* copy;
  cudaMalloc(&copy, N * sizeof(float));
  write_reversed<<<(N + 255) / 256, 256>>>(copy, input, N);
  cudaFree(copy);
}
