// verdict: crashed
// says: out of memory
// Memory without end.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (;;) {
    volatile char* much = static_cast<char*>(malloc(1 << 20));
    for (int i = 0; i < 1 << 20; i += 4096) much[i] = 1;
  }
}
