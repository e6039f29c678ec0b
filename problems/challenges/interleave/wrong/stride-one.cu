// verdict: race
// why: pairs overlap: the second element of one is the first of the next
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  output[i] = A[i];
  output[i + 1] = B[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
