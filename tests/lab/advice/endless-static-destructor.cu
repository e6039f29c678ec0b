// problem: challenges/relu
// verdict: too-slow
// says: solve returned, and the program did not end
// not: solve did not return
#include <cuda_runtime.h>

__global__ void relu(const float* input, float* output, int N) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = fmaxf(input[i], 0);
}

struct Endless {
  ~Endless() { for (volatile int i = 0; i == 0;) {} }
} endless;

extern "C" void solve(const float* input, float* output, int N) { relu<<<1, 256>>>(input, output, N); }
