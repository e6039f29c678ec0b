// problem: challenges/relu
// verdict: uninitialised
// says: C0302
// not: no output depends on it
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  __shared__ float zero;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = fmaxf(input[i], zero);
}

extern "C" void solve(const float* input, float* output, int N) {
  relu<<<(N + 255) / 256, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
