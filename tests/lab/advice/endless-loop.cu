// problem: challenges/relu
// verdict: too-slow
// says: look for a loop whose condition never becomes false
// not: smallest found
// not: warpwise: cuda
// The step is missing.
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N;) output[i] = fmaxf(input[i], 0);
}

extern "C" void solve(const float* input, float* output, int N) {
  relu<<<64, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
