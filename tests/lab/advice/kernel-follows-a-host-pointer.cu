// problem: challenges/relu
// verdict: out-of-bounds
// says: a kernel cannot follow host pointers
// says: C0108
// says: write of 4 bytes at
// not: which threads need a guard
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void relu(const float* input, float* between, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  between[i] = fmaxf(input[i], 0);
  output[i] = between[i];
}

extern "C" void solve(const float* input, float* output, int N) {
  float* between = static_cast<float*>(malloc(N * sizeof(float)));
  relu<<<(N + 255) / 256, 256>>>(input, between, output, N);
  cudaDeviceSynchronize();
  free(between);
}
