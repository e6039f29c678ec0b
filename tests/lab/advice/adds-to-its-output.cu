// problem: challenges/reduction
// verdict: uninitialised
// says: `output` is an output: nothing is in it before `solve` begins, no zeros either
#include <cuda_runtime.h>

__global__ void sum(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) atomicAdd(output, input[i]);
}

extern "C" void solve(const float* input, float* output, int N) { sum<<<(N + 255) / 256, 256>>>(input, output, N); }
