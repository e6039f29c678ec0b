// problem: challenges/relu
// verdict: too-slow
// says: did not get as far as solve
// says: code that runs before main() did not end
// says: endless-static-constructor.cu:16
// says: what do static objects and global variables do
// not: solve did not return
// not: signal
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

struct Endless {
  Endless() { for (volatile int i = 0; i == 0;) {} }
} endless;

extern "C" void solve(const float* input, float* output, int N) { relu<<<1, 256>>>(input, output, N); }
