// verdict: wrong-value
// why: the sum is kept in half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  half sum = __float2half(0);
  for (int j = 0; j < K; ++j) sum = __hfma(A[row * K + j], B[j * N + column], sum);
  C[row * N + column] = __float2half(alpha * __half2float(sum) + beta * __half2float(C[row * N + column]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  dim3 threads(16, 16);
  dim3 blocks((N + 15) / 16, (M + 15) / 16);
  gemm<<<blocks, threads>>>(A, B, C, M, N, K, alpha, beta);
}
