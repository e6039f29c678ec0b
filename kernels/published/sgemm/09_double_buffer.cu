// Step 9: two tiles each, one in use while the other is filled.
//
// While a block computes with one pair of tiles it loads the next into the other pair: one barrier for each step instead of
// two, and no thread waits for memory at it. The price is twice the shared memory.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 8, kSide = 8;
constexpr int kThreads = kRows * kColumns / (kSide * kSide);

__global__ void __launch_bounds__(kThreads) sgemm_double_buffer(Problem p) {
  __shared__ __align__(16) float tile_a[2][kDepth * kRows], tile_b[2][kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int row = threadIdx.x / (kColumns / kSide) * kSide, column = threadIdx.x % (kColumns / kSide) * kSide;
  float sums[kSide][kSide] = {};
  auto load = [&](int buffer, int start) {
    load_turned<kRows, kDepth, kThreads>(tile_a[buffer], &p.a[first_row * p.n + start], p.n);
    load_straight<kDepth, kColumns, kThreads>(tile_b[buffer], &p.b[start * p.n + first_column], p.n);
  };
  load(0, 0);
  __syncthreads();
  for (int start = 0, buffer = 0; start < p.n; start += kDepth, buffer ^= 1) {
    if (start + kDepth < p.n) load(buffer ^ 1, start + kDepth);
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      take<kSide>(a, &tile_a[buffer][k * kRows + row]);
      take<kSide>(b, &tile_b[buffer][k * kColumns + column]);
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
  sgemm_double_buffer<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
