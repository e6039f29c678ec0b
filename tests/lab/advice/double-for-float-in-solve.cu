// problem: challenges/vector-add
// verdict: wrong-signature
// says: this file has: extern "C" void solve(const float* A, const float* B, double* C, int N)
// says: `C` is a `double*` here, and the problem gives a `float*`
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, double* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, double* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
