// Step 10: the best sizes.
//
// The tiles of step 6, twice as deep: half as many barriers, and each brings twice the work. A thread's square is two pieces of
// four columns half a tile apart, so that a warp's loads of B's tile touch neighbouring 16-byte words: no conflicts, and
// still four floats at once.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 16, kSide = 8;
constexpr int kThreads = kRows * kColumns / (kSide * kSide);

__global__ void __launch_bounds__(kThreads) sgemm_tuned(Problem p) {
  __shared__ __align__(16) float tile_a[kDepth * kRows], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int row = threadIdx.x / (kColumns / kSide) * kSide, column = threadIdx.x % (kColumns / kSide) * (kSide / 2);
  float sums[kSide][kSide] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    load_turned<kRows, kDepth, kThreads>(tile_a, &p.a[first_row * p.n + start], p.n);
    load_straight<kDepth, kColumns, kThreads>(tile_b, &p.b[start * p.n + first_column], p.n);
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      take<kSide>(a, &tile_a[k * kRows + row]);
      take<kSide / 2>(b, &tile_b[k * kColumns + column]);
      take<kSide / 2>(b + kSide / 2, &tile_b[k * kColumns + column + kColumns / 2]);
      #pragma unroll
      for (int i = 0; i < kSide; ++i)
        #pragma unroll
        for (int j = 0; j < kSide; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kSide; ++i) {
    float* c = &p.c[(first_row + row + i) * p.n + first_column + column];
    put<kSide / 2>(c, sums[i], p.alpha, p.beta);
    put<kSide / 2>(c + kColumns / 2, sums[i] + kSide / 2, p.alpha, p.beta);
  }
}

void sgemm(const Problem& p) {
  sgemm_tuned<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
