// verdict: unwritten
// why: enough threads for N elements of the output, which has 2 N
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) output[i] = i % 2 ? B[i / 2] : A[i / 2];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
