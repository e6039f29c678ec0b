// verdict: does-not-compile
// within: 20
// A terabyte of data from one statement of the assembler.
#include <cuda_runtime.h>
asm(".data\n.fill 1099511627776, 1, 7\n.text");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
