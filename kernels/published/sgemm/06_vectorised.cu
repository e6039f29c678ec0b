// Step 6: four floats in one load.
//
// Global and shared memory are read with 128-bit loads; the tile of A is transposed as it is stored, so that the eight rows of a
// thread are neighbours. Four times fewer loads of shared memory than step 5 has.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 8, kSide = 8;
constexpr int kThreads = kRows * kColumns / (kSide * kSide);

__global__ void __launch_bounds__(kThreads) sgemm_vectorised(Problem p) {
  __shared__ __align__(16) float tile_a[kDepth * kRows], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int row = threadIdx.x / (kColumns / kSide) * kSide, column = threadIdx.x % (kColumns / kSide) * kSide;
  float sums[kSide][kSide] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    load_turned<kRows, kDepth, kThreads>(tile_a, &p.a[first_row * p.n + start], p.n);
    load_straight<kDepth, kColumns, kThreads>(tile_b, &p.b[start * p.n + first_column], p.n);
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      take<kSide>(a, &tile_a[k * kRows + row]);
      take<kSide>(b, &tile_b[k * kColumns + column]);
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
  sgemm_vectorised<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
