// Step 4: a thread computes a column of 8 elements of C.
//
// An element of B, once in a register, serves 8 multiply-adds: nine loads of shared memory for eight multiply-adds
// instead of sixteen.
#include "sgemm.h"

const int kMultiple = 64;

constexpr int kRows = 64, kColumns = 64, kDepth = 8;  // of a block's tiles
constexpr int kResults = 8;                           // of a thread
constexpr int kThreads = kRows * kColumns / kResults;

__global__ void __launch_bounds__(kThreads) sgemm_thread_column(Problem p) {
  __shared__ float tile_a[kRows * kDepth], tile_b[kDepth * kColumns];
  int first_row = blockIdx.y * kRows, first_column = blockIdx.x * kColumns;
  int column = threadIdx.x % kColumns, row = threadIdx.x / kColumns * kResults;
  int a_row = threadIdx.x / kDepth, a_k = threadIdx.x % kDepth;
  int b_k = threadIdx.x / kColumns, b_column = threadIdx.x % kColumns;
  float sums[kResults] = {};
  for (int start = 0; start < p.n; start += kDepth) {
    tile_a[a_row * kDepth + a_k] = p.a[(first_row + a_row) * p.n + start + a_k];
    tile_b[b_k * kColumns + b_column] = p.b[(start + b_k) * p.n + first_column + b_column];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float b = tile_b[k * kColumns + column];
      #pragma unroll
      for (int i = 0; i < kResults; ++i) sums[i] += tile_a[(row + i) * kDepth + k] * b;
    }
    __syncthreads();
  }
  #pragma unroll
  for (int i = 0; i < kResults; ++i) {
    float& c = p.c[(first_row + row + i) * p.n + first_column + column];
    c = p.alpha * sums[i] + p.beta * c;
  }
}

void sgemm(const Problem& p) {
  sgemm_thread_column<<<dim3(p.n / kColumns, p.n / kRows), kThreads>>>(p);
}
