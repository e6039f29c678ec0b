// solution: a warp per tile of 16 x 16, on tensor cores
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kTile = 16;

__global__ void gemm(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  __shared__ __align__(32) half a[kTile * kTile], b[kTile * kTile];
  __shared__ __align__(32) float c[kTile * kTile];
  int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  const half zero = __float2half(0);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int tile = 0; tile < K; tile += kTile) {
    for (int i = threadIdx.x; i < kTile * kTile; i += 32) {
      int y = i / kTile, x = i % kTile;
      a[i] = first_row + y < M && tile + x < K ? A[(first_row + y) * K + tile + x] : zero;
      b[i] = tile + y < K && first_column + x < N ? B[(tile + y) * N + first_column + x] : zero;
    }
    __syncthreads();
    wmma::load_matrix_sync(left, a, kTile);
    wmma::load_matrix_sync(right, b, kTile);
    wmma::mma_sync(sum, left, right, sum);
    __syncthreads();
  }
  wmma::store_matrix_sync(c, sum, kTile, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile; i += 32) {
    int row = first_row + i / kTile, column = first_column + i % kTile;
    if (row < M && column < N) C[row * N + column] = __float2half(alpha * c[i] + beta * __half2float(C[row * N + column]));
  }
}

extern "C" void solve(const half* A, const half* B, half* C, int M, int N, int K, float alpha, float beta) {
  dim3 blocks((N + kTile - 1) / kTile, (M + kTile - 1) / kTile);
  gemm<<<blocks, 32>>>(A, B, C, M, N, K, alpha, beta);
}
