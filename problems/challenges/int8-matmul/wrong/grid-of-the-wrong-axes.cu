// verdict: unwritten
// why: rows and columns are swapped in the grid
#include <cstdint>
#include <cuda_runtime.h>

__global__ void matmul(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale, int zero_point_A,
                       int zero_point_B, int zero_point_C) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  int sum = 0;
  for (int j = 0; j < K; ++j) sum += (A[row * K + j] - zero_point_A) * (B[j * N + column] - zero_point_B);
  int value = __float2int_rn(sum * scale) + zero_point_C;
  C[row * N + column] = max(-128, min(127, value));
}

extern "C" void solve(const int8_t* A, const int8_t* B, int8_t* C, int M, int N, int K, float scale_A, float scale_B, float scale_C,
                      int zero_point_A, int zero_point_B, int zero_point_C) {
  dim3 threads(16, 16);
  dim3 blocks((M + 15) / 16, (N + 15) / 16);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K, scale_A * scale_B / scale_C, zero_point_A, zero_point_B, zero_point_C);
}
