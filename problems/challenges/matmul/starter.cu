#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  // Your code.
}

// A, B and C are device pointers.
extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 threads(16, 16);
  dim3 blocks((K + 15) / 16, (M + 15) / 16);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
