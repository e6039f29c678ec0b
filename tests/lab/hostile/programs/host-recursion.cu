// verdict: crashed
// Recursion without end on the host.
#include <cuda_runtime.h>
static int deeper(int n) { volatile char here[4096]; here[n & 4095] = 1; return deeper(n + 1) + here[n & 4095]; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (deeper(0) == 12345) return;
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
