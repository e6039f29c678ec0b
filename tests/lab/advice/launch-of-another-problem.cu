// problem: challenges/layernorm
// verdict: wrong-signature
// says: cudaErrorInvalidConfiguration
// says: `solve` has 4 parameters here, and the problem gives it 7
// says: the problem asks for: extern "C" void solve(const float* input, const float* weight
// not: check grid, block and shared memory
#include <cuda_runtime.h>

__global__ void halve(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = input[i] / 2;
}

// Called with the problem's parameters, N is the low half of an address, or no number at all.
extern "C" void solve(const float* input, float* output, float eps, float N) {
  halve<<<dim3((N + 255) / 256), 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
