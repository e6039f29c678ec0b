// problem: challenges/relu
// verdict: crashed
// says: solve: host code has used up its stack
// says: host-recursion.cu:13
// says: where does the recursion of host code end
// not: signal 11
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

int count(volatile int* above, int n) { volatile int here[256] = {n}; return *above < 0 ? 0 : count(here, n + 1) + here[0]; }

extern "C" void solve(const float* input, float* output, int N) {
  volatile int none = 0;
  relu<<<count(&none, N), 256>>>(input, output, N);
}
