// verdict: does-not-compile
// Two functions that are each other.
#include <cuda_runtime.h>
extern "C" void one() __attribute__((alias("two")));
extern "C" void two() __attribute__((alias("one")));

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  one();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
