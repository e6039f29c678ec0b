// verdict: wrong-value
// why: behind the last column of A the tile takes the beginning of the next row, and behind the last row of B that row again
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x;
  int row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int tile = 0; tile < N; tile += kTile) {
    a[y][x] = row * N + tile + x < M * N ? A[row * N + tile + x] : 0;
    b[y][x] = column < K ? B[min(tile + y, N - 1) * K + column] : 0;
    __syncthreads();
    for (int j = 0; j < kTile; ++j) sum += a[y][j] * b[j][x];
    __syncthreads();
  }
  if (row < M && column < K) C[row * K + column] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 threads(kTile, kTile);
  dim3 blocks((K + kTile - 1) / kTile, (M + kTile - 1) / kTile);
  matmul<<<blocks, threads>>>(A, B, C, M, N, K);
}
