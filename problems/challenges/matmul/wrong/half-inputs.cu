// verdict: wrong-value
// why: the inputs are rounded to half precision first
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= K) return;
  float sum = 0;
  for (int j = 0; j < N; ++j) sum += __half2float(__float2half(A[row * N + j])) * __half2float(__float2half(B[j * K + column]));
  C[row * K + column] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 threads(16, 16);
  dim3 blocks((K + 15) / 16, (M + 15) / 16);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
