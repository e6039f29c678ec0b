// verdict: changed-input
// why: a kernel of its own multiplies alpha into A
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void scale(half* A, int count, float alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) A[i] = __float2half(alpha * __half2float(A[i]));
}

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int j = 0; j < K; ++j) sum += __half2float(A[row * K + j]) * __half2float(B[j * N + column]);
  C[row * N + column] = __float2half(alpha * sum + beta * __half2float(C[row * N + column]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  dim3 threads(16, 16);
  dim3 blocks((N + 15) / 16, (M + 15) / 16);
  scale<<<(M * K + 255) / 256, 256>>>(const_cast<half*>(A), M * K, alpha);
  gemm<<<blocks, threads>>>(A, B, C, M, N, K, 1, beta);
}
