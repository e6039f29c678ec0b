// verdict: wrong-value
// Right at first, and changed when the program ends.
#include <cuda_runtime.h>
#include <cstdlib>
static float* late_C;
__global__ void zero(float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = 0;
}

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
  late_C = C;
  atexit([] { zero<<<2, 256>>>(late_C, 300); cudaDeviceSynchronize(); });
}
