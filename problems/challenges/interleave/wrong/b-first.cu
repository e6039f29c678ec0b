// verdict: wrong-value
// why: begins with B
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  output[2 * i] = B[i];
  output[2 * i + 1] = A[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
