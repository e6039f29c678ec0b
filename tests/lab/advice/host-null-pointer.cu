// problem: challenges/relu
// verdict: crashed
// says: solve: host code follows a null pointer
// says: host-null-pointer.cu:14
// not: signal 11
// not: the address, where
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

volatile int* blocks = nullptr;
extern "C" void solve(const float* input, float* output, int N) { *blocks = 1; }
