// verdict: uninitialised
// why: only threads inside of C load, so the tiles have holes
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  __shared__ half a[kTile][kTile], b[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  const half zero = __float2half(0);
  float sum = 0;
  for (int tile = 0; tile < K; tile += kTile) {
    if (row < M && tile + x < K) a[y][x] = A[row * K + tile + x];
    b[y][x] = tile + y < K && column < N ? B[(tile + y) * N + column] : zero;
    __syncthreads();
    for (int j = 0; j < kTile; ++j) sum += __half2float(a[y][j]) * __half2float(b[j][x]);
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = __float2half(alpha * sum + beta * __half2float(C[row * N + column]));
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  dim3 threads(kTile, kTile);
  dim3 blocks((N + kTile - 1) / kTile, (M + kTile - 1) / kTile);
  gemm<<<blocks, threads>>>(A, B, C, M, N, K, alpha, beta);
}
