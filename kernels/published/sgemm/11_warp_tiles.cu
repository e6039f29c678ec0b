// Step 11: tiles for warps, between those of blocks and of threads.
//
// Each of a block's four warps owns 64×64 elements of C. A thread computes 8 rows of 16 columns, in four pieces of four
// columns: 24 floats from shared memory feed 128 multiply-adds, and what one warp reads lies close together.
#include "sgemm.h"
#include "tile_loads.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 16;   // of a block
constexpr int kWarpRows = 64, kWarpColumns = 64;          // of a warp
constexpr int kThreads = 32 * (kRows / kWarpRows) * (kColumns / kWarpColumns);
constexpr int kThreadRows = 8, kPiece = 4, kPieces = 4;   // of a thread
constexpr int kAcross = kWarpColumns / (kPiece * kPieces);  // threads of a warp side by side: 4, and 8 one below the other

__global__ void __launch_bounds__(kThreads) sgemm_warp_tiles(Problem p) {
  __shared__ __align__(16) float tile_a[kDepth * kRows], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp / (kColumns / kWarpColumns) * kWarpRows + lane / kAcross * kThreadRows;
  int column = warp % (kColumns / kWarpColumns) * kWarpColumns + lane % kAcross * kPiece;
  constexpr int kStep = kAcross * kPiece;  // from one piece to the next
  float sums[kThreadRows][kPieces * kPiece] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    load_turned<kRows, kDepth, kThreads>(tile_a, &p.a[first_row * p.n + start], p.n);
    load_straight<kDepth, kColumns, kThreads>(tile_b, &p.b[start * p.n + first_column], p.n);
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kThreadRows], b[kPieces * kPiece];
      take<kThreadRows>(a, &tile_a[k * kRows + row]);
      #pragma unroll
      for (int piece = 0; piece < kPieces; ++piece) take<kPiece>(&b[piece * kPiece], &tile_b[k * kColumns + column + piece * kStep]);
      #pragma unroll
      for (int i = 0; i < kThreadRows; ++i)
        #pragma unroll
        for (int j = 0; j < kPieces * kPiece; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kThreadRows; ++i)
    #pragma unroll
    for (int piece = 0; piece < kPieces; ++piece)
      put<kPiece>(&p.c[(first_row + row + i) * p.n + first_column + column + piece * kStep], &sums[i][piece * kPiece], p.alpha, p.beta);
}

void sgemm(const Problem& p) {
  sgemm_warp_tiles<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
