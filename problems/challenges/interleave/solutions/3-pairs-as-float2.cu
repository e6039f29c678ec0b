// solution: the pair is stored at once
#include <cuda_runtime.h>

__global__ void interleave(const float* A, const float* B, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) reinterpret_cast<float2*>(output)[i] = make_float2(A[i], B[i]);
}

extern "C" void solve(const float* A, const float* B, float* output, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  interleave<<<blocks, threads>>>(A, B, output, N);
}
