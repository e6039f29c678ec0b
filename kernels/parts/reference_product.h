// For references of products: c = a · b in double, by tiles in shared memory, so that 16384³ takes a second and not a
// minute. Each thread adds up 4x4 elements of the result, one product after the other along k.
//
//     product_in_double<<<blocks_of_product(m, n), reference_parts::kProductThreads>>>(a, b, m, n, k, finish);
//
// `Layout` says whether b is stored by its rows (k x n) or by its columns (n x k). finish(row, column, sum) stores.
#pragma once

#include "reference_block.h"

namespace reference_parts {

enum class Stored { ByRows, ByColumns };

constexpr int kProductTile = 64, kProductDepth = 16, kProductSide = 4;
constexpr int kProductThreads = (kProductTile / kProductSide) * (kProductTile / kProductSide);

inline dim3 blocks_of_product(int m, int n) {
  return dim3(unsigned((n + kProductTile - 1) / kProductTile), unsigned((m + kProductTile - 1) / kProductTile));
}

template <Stored kB, class T, class Finish>
__global__ void __launch_bounds__(kProductThreads)
    product_in_double(const T* a, const T* b, int m, int n, int k, Finish finish) {
  __shared__ double tile_a[kProductDepth][kProductTile], tile_b[kProductDepth][kProductTile];
  constexpr int kAcross = kProductTile / kProductSide;
  int thread = int(threadIdx.x), first_row = int(blockIdx.y) * kProductTile,
      first_column = int(blockIdx.x) * kProductTile;
  int row = thread / kAcross, column = thread % kAcross;  // and every kAcross-th after it
  double sums[kProductSide][kProductSide] = {};
  for (int start = 0; start < k; start += kProductDepth) {
    for (int i = thread; i < kProductDepth * kProductTile; i += kProductThreads) {
      int deep = i % kProductDepth, side = i / kProductDepth;
      bool in_a = start + deep < k && first_row + side < m;
      tile_a[deep][side] = in_a ? to_double(a[size_t(first_row + side) * k + start + deep]) : 0.0;
      if (kB == Stored::ByRows) deep = i / kProductTile, side = i % kProductTile;
      bool in_b = start + deep < k && first_column + side < n;
      size_t at = kB == Stored::ByRows ? size_t(start + deep) * n + first_column + side
                                       : size_t(first_column + side) * k + start + deep;
      tile_b[deep][side] = in_b ? to_double(b[at]) : 0.0;
    }
    __syncthreads();
#pragma unroll
    for (int deep = 0; deep < kProductDepth; ++deep) {
      double from_a[kProductSide], from_b[kProductSide];
#pragma unroll
      for (int i = 0; i < kProductSide; ++i) {
        from_a[i] = tile_a[deep][row + i * kAcross];
        from_b[i] = tile_b[deep][column + i * kAcross];
      }
#pragma unroll
      for (int i = 0; i < kProductSide; ++i)
#pragma unroll
        for (int j = 0; j < kProductSide; ++j) sums[i][j] += from_a[i] * from_b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kProductSide; ++i)
#pragma unroll
    for (int j = 0; j < kProductSide; ++j) {
      int r = first_row + row + i * kAcross, c = first_column + column + j * kAcross;
      if (r < m && c < n) finish(r, c, sums[i][j]);
    }
}

}  // namespace reference_parts
