// Step 5: a thread computes a square of 8×8 elements of C.
//
// 16 loads of shared memory now feed 64 multiply-adds. A block's tiles grow to 128 rows and columns, so global memory is
// read less, too.
#include "sgemm.h"

const int kMultiple = 128;

constexpr int kRows = 128, kColumns = 128, kDepth = 8;  // of a block's tiles
constexpr int kSide = 8;                                // of a thread's square
constexpr int kThreads = kRows * kColumns / (kSide * kSide);

__global__ void __launch_bounds__(kThreads) sgemm_thread_square(Problem p) {
  __shared__ float tile_a[kRows * kDepth], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int row = threadIdx.x / (kColumns / kSide) * kSide, column = threadIdx.x % (kColumns / kSide) * kSide;
  float sums[kSide][kSide] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads)
      tile_a[i] = p.a[(first_row + i / kDepth) * p.n + start + i % kDepth];
    for (int i = threadIdx.x; i < kDepth * kColumns; i += kThreads)
      tile_b[i] = p.b[(start + i / kColumns) * p.n + first_column + i % kColumns];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float a[kSide], b[kSide];
      #pragma unroll
      for (int i = 0; i < kSide; ++i) a[i] = tile_a[(row + i) * kDepth + k];
      #pragma unroll
      for (int j = 0; j < kSide; ++j) b[j] = tile_b[k * kColumns + column + j];
      #pragma unroll
      for (int i = 0; i < kSide; ++i)
        #pragma unroll
        for (int j = 0; j < kSide; ++j) sums[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kSide; ++i)
    #pragma unroll
    for (int j = 0; j < kSide; ++j) {
      float& c = p.c[(first_row + row + i) * p.n + first_column + column + j];
      c = p.alpha * sums[i][j] + p.beta * c;
    }
}

void sgemm(const Problem& p) {
  sgemm_thread_square<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
