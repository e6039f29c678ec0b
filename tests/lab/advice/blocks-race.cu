// problem: challenges/reduction
// verdict: race
// says: C0203
// says: blocks run in any order
// not: where must one wait for the other
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
  float mine = 0;
  if (threadIdx.x != 0) return;
  for (int i = blockIdx.x; i < N; i += gridDim.x) mine += input[i];
  *output = mine;
}

extern "C" void solve(const float* input, float* output, int N) {
  sum<<<2, 32>>>(input, output, N);
  cudaDeviceSynchronize();
}
