// verdict: uninitialised
// why: adds to what is in C, which was never written
#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= K) return;
  float sum = 0;
  for (int j = 0; j < N; ++j) sum += A[row * N + j] * B[j * K + column];
  C[row * K + column] += sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 threads(16, 16);
  dim3 blocks((K + 15) / 16, (M + 15) / 16);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
