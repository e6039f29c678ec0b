// verdict: does-not-compile
// within: 20
// A macro of the assembler that expands to itself twice.
#include <cuda_runtime.h>
asm(".macro twice\ntwice\ntwice\n.endm\ntwice");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
