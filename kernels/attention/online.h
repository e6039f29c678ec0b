// Softmax of scores that come a tile at a time, for rows that four lanes share: how both mma.sync and wgmma spread
// their results.
//
//     scores[j][r]: row lane / 4 + 8 * (r / 2), column 8 * j + lane % 4 * 2 + r % 2, of the tile of a warp
//
// A row's weights are exp(score - most), where `most` is the largest score so far. When a tile brings a larger one,
// what has been summed is scaled to it (Milakov and Gimelshein, arXiv 1805.02867; Dao et al., arXiv 2205.14135). Sums
// stay in parts, one for each lane, until the end.
//
//     Rows rows;
//     keep_to(scores, first_row, first_column, length, causal);   // only tiles at an edge need it
//     weigh(scores, rows, scale, correction);                     // scores become weights
//     ...                                                         // result *= correction, result += weights * values
//     finish(rows, inverse);                                      // result *= inverse
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>

struct Rows {  // both rows of a thread
  float most[2] = {-INFINITY, -INFINITY}, sum[2] = {0, 0};
};

// Of scores, and from powers of e to powers of two.
template <int kHead>
float scale_of() {
  return 1.4426950408889634f / std::sqrt(float(kHead));
}

__device__ __forceinline__ float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Scores of keys that are not there, or lie after the query, are as small as can be. `row`, `column`: of the warp's
// tile.
template <int kEights>
__device__ __forceinline__ void keep_to(float (&scores)[kEights][4], int row, int column, int length, bool causal) {
  int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int j = 0; j < kEights; ++j)
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      int query = row + lane / 4 + r / 2 * 8, key = column + j * 8 + lane % 4 * 2 + r % 2;
      if (key >= length || (causal && key > query)) scores[j][r] = -INFINITY;
    }
}

// `scale`: of the scores, times log2(e), since the hardware has powers of two alone. `correction`: what results so far
// are to be multiplied with.
template <int kEights>
__device__ __forceinline__ void weigh(float (&scores)[kEights][4], Rows& rows, float scale, float (&correction)[2]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float most = rows.most[half];
#pragma unroll
    for (int j = 0; j < kEights; ++j) most = fmaxf(most, fmaxf(scores[j][half * 2], scores[j][half * 2 + 1]));
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
    float base = most == -INFINITY ? 0.0f : most * scale;  // a row without a key so far: weights 0, and not NaN
    correction[half] = exp2_fast(rows.most[half] * scale - base);
    rows.most[half] = most;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < kEights; ++j)
#pragma unroll
      for (int r = half * 2; r < half * 2 + 2; ++r) {
        scores[j][r] = exp2_fast(scores[j][r] * scale - base);
        sum += scores[j][r];
      }
    rows.sum[half] = rows.sum[half] * correction[half] + sum;
  }
}

__device__ __forceinline__ void finish(const Rows& rows, float (&inverse)[2]) {
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float sum = rows.sum[half];
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    inverse[half] = sum > 0 ? 1 / sum : 0.0f;
  }
}

template <int kEights>
__device__ __forceinline__ void scale_rows(float (&result)[kEights][4], const float (&by)[2]) {
#pragma unroll
  for (auto& eight : result) eight[0] *= by[0], eight[1] *= by[0], eight[2] *= by[1], eight[3] *= by[1];
}

// Weights as the first factor of products of 16 along the keys: the registers that hold them as results are, in pairs,
// those that the next product wants.
template <int kEights>
__device__ __forceinline__ void pack_weights(const float (&weights)[kEights][4], unsigned (&packed)[kEights / 2][4]) {
#pragma unroll
  for (int i = 0; i < kEights / 2; ++i)
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const float(&eight)[4] = weights[i * 2 + r / 2];
      const __nv_bfloat162 both = __floats2bfloat162_rn(eight[r % 2 * 2], eight[r % 2 * 2 + 1]);
      packed[i][r] = reinterpret_cast<const unsigned&>(both);
    }
}
