// problem: challenges/vector-add
// verdict: wrong-signature
// says: your `C` is the problem's `A`: parameters are passed by position
// says: next     the problem asks for: extern "C" void solve(const float* A, const float* B, float* C, int N)
// not: which thread, copy or cudaMemset should write this place
// The output first, as in the puzzles.
#include <cuda_runtime.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(float* C, const float* A, const float* B, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
