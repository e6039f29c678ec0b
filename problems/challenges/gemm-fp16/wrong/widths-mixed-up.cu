// verdict: out-of-bounds
// why: A is indexed with the width of C, as for square matrices
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int j = 0; j < K; ++j) sum += __half2float(A[row * N + j * 2]) * __half2float(B[j * N + column]);
  C[row * N + column] = __float2half(alpha * sum + beta * __half2float(C[row * N + column]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  dim3 threads(16, 16);
  dim3 blocks((N + 15) / 16, (M + 15) / 16);
  gemm<<<blocks, threads>>>(A, B, C, M, N, K, alpha, beta);
}
