// verdict: out-of-bounds
// why: reads element i of the inputs, where i counts elements of the output
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * N) output[i] = i % 2 ? B[i] : A[i];
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (2 * N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
