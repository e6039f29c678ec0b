// verdict: does-not-compile
// within: 20
// The assembler is to repeat a statement 10^16 times.
#include <cuda_runtime.h>
asm(".rept 100000000\n.rept 100000000\nnop\n.endr\n.endr");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
