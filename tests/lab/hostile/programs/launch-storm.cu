// verdict: too-slow
// within: 20
// Launches without end behind a kernel without end: what waits for it would fill the memory.
#include <cuda_runtime.h>
__global__ void endless(volatile float* C) { while (C[0] != 12345.0f) C[0] = 1; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  endless<<<1, 1>>>(C);
  for (;;) add<<<1, 256>>>(A, B, C, 0);
}
