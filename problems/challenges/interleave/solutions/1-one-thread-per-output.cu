// solution: one thread per element of the output: even ones take from A, odd ones from B
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * N) output[i] = i % 2 ? B[i / 2] : A[i / 2];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (2 * N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
