// Transposing in two levels: 4x4 elements in the registers of a thread, tiles of those in shared memory.
//
// A thread reads four vectors of 16 bytes from four rows. It exchanges rows and columns among its own registers, and
// holds four vectors of the result:
//
//     a0 a1 a2 a3      a0 b0 c0 d0
//     b0 b1 b2 b3  →   a1 b1 c1 d1       each line 16 bytes, in memory order on its side
//     c0 c1 c2 c3      a2 b2 c2 d2
//     d0 d1 d2 d3      a3 b3 c3 d3
//
// So both sides of global memory and both of shared memory are accessed 16 bytes at a time. In shared memory the tile
// lies as the result will. Eight neighbouring threads write to eight rows of it; the place in a row is xored with the
// row's number, so that their 8 x 16 bytes lie in all 32 banks.
#pragma once

#include <cuda_runtime.h>

// A tile of the matrix: kRows x kColumns elements, at (row, column) in units of vectors of 4. `rows` and `columns` are
// those of the matrix, in vectors, too.
template <int kRows, int kColumns, int kThreads>
__device__ __forceinline__ void transpose_tile(const float4* in, float4* out, int rows, int columns, int row,
                                               int column, float4* tile) {
  constexpr int kDown = kRows / 4, kAcross = kColumns / 4, kPieces = kDown * kAcross / kThreads;  // 4x4 elements each
  float4 piece[kPieces][4];
#pragma unroll
  for (int p = 0; p < kPieces; ++p) {
    int i = int(threadIdx.x) + p * kThreads, r = row + i / kAcross, c = column + i % kAcross;
    if (r < rows && c < columns) {
#pragma unroll
      for (int k = 0; k < 4; ++k) piece[p][k] = __ldcs(&in[(size_t(r) * 4 + k) * columns + c]);
    }
  }
#pragma unroll
  for (int p = 0; p < kPieces; ++p) {
    int i = int(threadIdx.x) + p * kThreads, r = i / kAcross, c = i % kAcross;
    const float4 &a = piece[p][0], &b = piece[p][1], &d = piece[p][2], &e = piece[p][3];
    float4* to = &tile[c * 4 * kDown + (r ^ c % kDown)];
    to[0 * kDown] = {a.x, b.x, d.x, e.x};
    to[1 * kDown] = {a.y, b.y, d.y, e.y};
    to[2 * kDown] = {a.z, b.z, d.z, e.z};
    to[3 * kDown] = {a.w, b.w, d.w, e.w};
  }
  __syncthreads();
#pragma unroll
  for (int p = 0; p < kPieces * 4; ++p) {
    int i = int(threadIdx.x) + p * kThreads, c = i / kDown, r = i % kDown;
    if (row + r < rows && column * 4 + c < columns * 4)
      __stcs(&out[(size_t(column) * 4 + c) * rows + row + r], tile[c * kDown + (r ^ c / 4 % kDown)]);
  }
}
