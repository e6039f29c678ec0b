// problem: challenges/relu
// verdict: wrong-signature
// not: does not compile
// says: `solve` is defined in line 16, and the compiler does not take it: it stands under `#ifdef SUBMIT` (line 15)
// A file that tests itself, unless a macro says that it is submitted.
#include <cuda_runtime.h>

#define BLOCK 256

__global__ void relu(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] > 0 ? input[i] : 0;
}

#ifdef SUBMIT
extern "C" void solve(const float* input, float* output, int N) {
  relu<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(input, output, N);
}
#else
int main() {}
#endif
