// verdict: too-slow
// A launch of 2^31 blocks that each do almost nothing.
#include <cuda_runtime.h>
__global__ void nothing(float* C) { if (threadIdx.x == 2000) C[0] = 1; }

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  nothing<<<dim3(2147483647, 65535, 65535), 1024>>>(C);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
