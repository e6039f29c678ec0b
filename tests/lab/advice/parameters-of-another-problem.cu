// problem: challenges/reverse
// verdict: wrong-signature
// says: `solve` has 3 parameters here, and the problem gives it 2
// says: the problem asks for: extern "C" void solve(float* input, int N)
// not: which threads need a guard
#include <cuda_runtime.h>

__global__ void reverse(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[N - 1 - i] = input[i];
}

extern "C" void solve(const float* input, float* output, int N) {
  reverse<<<(N + 255) / 256, 256>>>(input, output, N);
  cudaDeviceSynchronize();
}
