// Step 8: fewer bank conflicts, by five unused floats at the end of each row of B's tile.
//
// Rows of 133 floats begin in different banks, so that the stores of four rows do not conflict. The price: rows are no longer
// aligned for 128-bit loads, and the loads of a thread are single again.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 8, kSide = 8, kPad = 5;
constexpr int kThreads = kRows * kColumns / (kSide * kSide);
constexpr int kPitch = kColumns + kPad;

__global__ void __launch_bounds__(kThreads) sgemm_padded_rows(Problem p) {
  __shared__ __align__(16) float tile_a[kDepth * kRows];
  __shared__ float tile_b[kDepth * kPitch];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int row = threadIdx.x / (kColumns / kSide) * kSide, column = threadIdx.x % (kColumns / kSide) * kSide;
  float sums[kSide][kSide] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    load_turned<kRows, kDepth, kThreads>(tile_a, &p.a[first_row * p.n + start], p.n);
    for (int i = threadIdx.x * 4; i < kDepth * kColumns; i += kThreads * 4) {
      float four[4];
      take<4>(four, &p.b[(start + i / kColumns) * p.n + first_column + i % kColumns]);
      #pragma unroll
      for (int j = 0; j < 4; ++j) tile_b[i / kColumns * kPitch + i % kColumns + j] = four[j];
    }
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      take<kSide>(a, &tile_a[k * kRows + row]);
      #pragma unroll
      for (int j = 0; j < kSide; ++j) b[j] = tile_b[k * kPitch + column + j];
      #pragma unroll
      for (int i = 0; i < kSide; ++i)
        #pragma unroll
        for (int j = 0; j < kSide; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kSide; ++i)
    put<kSide>(&p.c[(first_row + row + i) * p.n + first_column + column], sums[i], p.alpha, p.beta);
}

void sgemm(const Problem& p) {
  sgemm_padded_rows<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
