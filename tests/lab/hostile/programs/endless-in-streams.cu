// verdict: too-slow
// Kernels without end in eight streams, and none is waited for.
#include <cuda_runtime.h>
__global__ void endless(volatile float* C) { while (C[0] != 12345.0f) C[0] = 1; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (int i = 0; i < 8; ++i) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    endless<<<1, 1, 0, stream>>>(C);
  }
}
