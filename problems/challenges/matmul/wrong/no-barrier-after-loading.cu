// verdict: race
// why: the tile is used before it is loaded
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void matmul(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x;
  int row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int tile = 0; tile < N; tile += kTile) {
    a[y][x] = row < M && tile + x < N ? A[row * N + tile + x] : 0;
    b[y][x] = tile + y < N && column < K ? B[(tile + y) * K + column] : 0;
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
