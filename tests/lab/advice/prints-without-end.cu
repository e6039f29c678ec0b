// problem: challenges/relu
// verdict: crashed
// says: solve: too much output
// says: print less
#include <cstdio>
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

extern "C" void solve(const float* input, float* output, int N) {
  for (int i = 0; i < 1000000; ++i) printf("element %d of %d\n", i, N);
  relu<<<1, 256>>>(input, output, N);
}
