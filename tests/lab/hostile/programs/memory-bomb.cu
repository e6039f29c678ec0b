// verdict: crashed
// says: out of memory
// Memory without end.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
