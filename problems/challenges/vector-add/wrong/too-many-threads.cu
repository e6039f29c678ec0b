// verdict: failed-call
// why: a block of 2048 threads is more than a device takes: the launch fails, and its error is not checked
#include <cuda_runtime.h>

__global__ void vector_add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  vector_add<<<(N + 2047) / 2048, 2048>>>(A, B, C, N);
}
