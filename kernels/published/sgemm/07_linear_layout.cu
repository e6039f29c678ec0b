// Step 7: another layout for the tile of B, without bank conflicts.
//
// In step 6 sixteen threads read B's tile 32 bytes apart: two of eight use the same bank. Here the j-th elements of all threads
// lie side by side (element j of thread t at j · 16 + t), and a warp reads 64 neighbouring bytes. The price: neither the loads
// nor the stores of this tile can move four floats at once any more.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 8, kSide = 8;
constexpr int kThreads = kRows * kColumns / (kSide * kSide);
constexpr int kAcross = kColumns / kSide;  // threads side by side

__global__ void __launch_bounds__(kThreads) sgemm_linear_layout(Problem p) {
  __shared__ __align__(16) float tile_a[kDepth * kRows], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int across = threadIdx.x % kAcross, row = threadIdx.x / kAcross * kSide;
  float sums[kSide][kSide] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    load_turned<kRows, kDepth, kThreads>(tile_a, &p.a[first_row * p.n + start], p.n);
    for (int i = threadIdx.x * 4; i < kDepth * kColumns; i += kThreads * 4) {
      int k = i / kColumns, column = i % kColumns;
      float four[4];
      take<4>(four, &p.b[(start + k) * p.n + first_column + column]);
      #pragma unroll
      for (int j = 0; j < 4; ++j) tile_b[(k * kSide + column % kSide + j) * kAcross + column / kSide] = four[j];
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      take<kSide>(a, &tile_a[k * kRows + row]);
      #pragma unroll
      for (int j = 0; j < kSide; ++j) b[j] = tile_b[(k * kSide + j) * kAcross + across];
      #pragma unroll
      for (int i = 0; i < kSide; ++i)
        #pragma unroll
        for (int j = 0; j < kSide; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kSide; ++i)
    put<kSide>(&p.c[(first_row + row + i) * p.n + first_column + across * kSide], sums[i], p.alpha, p.beta);
}

void sgemm(const Problem& p) {
  sgemm_linear_layout<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
