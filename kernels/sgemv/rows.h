// Some rows of a matrix times a vector, by one warp.
//
//     x:                    [ 16 bytes per lane ]     loaded once for all rows
//     row 0 .. kRows - 1:   [ 16 bytes per lane ]     kRows x kUnroll loads in flight per lane
//
// Each element of the matrix is used once, so only bytes in flight count. The vector comes from the L1 cache, and every
// load of it keeps that pipe from a load of the matrix: with kRows rows there is one for kRows.
#pragma once

#include "../parts/block_combine.h"
#include "../parts/vectors.h"

template <class T, int kRows, int kUnroll>
__device__ __forceinline__ void multiply_rows(const uint4* a, const uint4* x, T* y, int first_row, int rows,
                                              int count) {
  constexpr int kWidth = kPerVector<T>;
  int lane = int(threadIdx.x) % 32;
  float sums[kRows] = {};
  const uint4* starts[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) starts[r] = a + size_t(min(first_row + r, rows - 1)) * count;  // a row twice: no harm
  auto round = [&](int i, auto inside) {
    uint4 raw[kUnroll][kRows];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u)
#pragma unroll
      for (int r = 0; r < kRows; ++r)
        if (inside(i + u * 32)) raw[u][r] = load_once(&starts[r][i + u * 32]);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (!inside(i + u * 32)) continue;
      float v[kWidth], row[kWidth];
      unpack<T>(__ldg(&x[i + u * 32]), v);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        unpack<T>(raw[u][r], row);
#pragma unroll
        for (int k = 0; k < kWidth; ++k) sums[r] += row[k] * v[k];
      }
    }
  };
  int i = lane;
  for (; i - lane + kUnroll * 32 <= count; i += kUnroll * 32) round(i, [](int) { return true; });
  if (i - lane < count) round(i, [&](int vector) { return vector < count; });
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    float sum = sum_of_warp(sums[r]);
    if (lane == 0 && first_row + r < rows) y[first_row + r] = T(sum);
  }
}

template <class T, int kRows, int kUnroll, int kThreads>
__global__ void __launch_bounds__(kThreads) rows_by_warp(const T* a, const T* x, T* y, int rows, int columns) {
  int first_row = (int(blockIdx.x) * (kThreads / 32) + int(threadIdx.x) / 32) * kRows;
  if (first_row >= rows) return;
  multiply_rows<T, kRows, kUnroll>(reinterpret_cast<const uint4*>(a), reinterpret_cast<const uint4*>(x), y, first_row,
                                   rows, columns / kPerVector<T>);
}

template <class T, int kRows, int kUnroll, int kThreads>
void run_rows(const T* a, const T* x, T* y, int rows, int columns) {
  constexpr int kRowsOfBlock = kRows * (kThreads / 32);
  rows_by_warp<T, kRows, kUnroll, kThreads>
      <<<(rows + kRowsOfBlock - 1) / kRowsOfBlock, kThreads>>>(a, x, y, rows, columns);
}
