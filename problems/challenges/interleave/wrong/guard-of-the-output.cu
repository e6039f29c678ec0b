// verdict: out-of-bounds
// why: the guard counts elements of the output, the index pairs
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * N) return;
  output[2 * i] = A[i];
  output[2 * i + 1] = B[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (2 * N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
