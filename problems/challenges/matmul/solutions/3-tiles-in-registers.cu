// solution: each thread computes 4 x 4 elements from registers
#include <cuda_runtime.h>

constexpr int kTile = 64, kDepth = 8, kEach = 4;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kDepth][kTile + 1], b[kDepth][kTile];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int tile = 0; tile < N; tile += kDepth) {
    for (int k = threadIdx.x; k < kTile * kDepth; k += 256) {
      int i = k / kDepth, j = k % kDepth;
      a[j][i] = first_row + i < M && tile + j < N ? A[(first_row + i) * N + tile + j] : 0;
      i = k % kTile, j = k / kTile;
      b[j][i] = first_column + i < K && tile + j < N ? B[(tile + j) * K + first_column + i] : 0;
    }
    __syncthreads();
    for (int j = 0; j < kDepth; ++j) {
      float left[kEach], right[kEach];
      for (int e = 0; e < kEach; ++e) left[e] = a[j][y + 16 * e], right[e] = b[j][x + 16 * e];
      for (int r = 0; r < kEach; ++r)
        for (int s = 0; s < kEach; ++s) sum[r][s] += left[r] * right[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < kEach; ++r)
    for (int s = 0; s < kEach; ++s) {
      int row = first_row + y + 16 * r, column = first_column + x + 16 * s;
      if (row < M && column < K) C[row * K + column] = sum[r][s];
    }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 blocks((K + kTile - 1) / kTile, (M + kTile - 1) / kTile);
  matmul<<<blocks, 256>>>(A, B, C, M, N, K);
}
