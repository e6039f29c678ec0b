// A thread's part of a tile: 8 rows by kWidth columns of sums in registers, from tiles of a and b in shared memory that
// lie as they do in memory: rows of a along k, rows of b along n. Nothing is transposed on the way.
//
//     a   rows of 32 floats = 128 bytes, chunks of 16 bytes swizzled: chunk c of row r at (c ^ r % 8)
//     b   rows of kTileColumns floats
//
// A thread reads four neighbours along k of each of its rows of a: eight vectors for four steps along k, which is what
// two vectors for each step would be with a transposed tile. The rows that a warp reads at a time differ in r % 8, so
// they lie in different banks. Of b it reads kWidth / 4 vectors for each step.
//
//     multiply-adds for each load of 16 bytes:  8x8: 16      8x16: 21
#pragma once

#include <cuda_runtime.h>

constexpr int kTileDepth = 32, kRowsOfThread = 8;

// How the 32 lanes of a warp share its tile: kDown lanes one below the other, 32 / kDown side by side.
//
// A load of 16 bytes per lane goes out in quarters of a warp. Two quarters of one half become one pass where each lane
// reads what the lane next to it does, or each what the second next does: a load then takes two passes, otherwise four.
// So of a the lanes i and i ^ 1 read the same, and of b the lanes i and i ^ 2. It is worth 3 % of the time of steps 05
// and 06 on an H200.
//
//     bits of the lane     8 wide: across 0, 2, 3; down 1, 4     16 wide: across 0, 4; down 1, 2, 3
template <int kWidth>
struct Lanes {
  static constexpr int kDown = kWidth == 8 ? 4 : 8, kAcross = 32 / kDown;
  static constexpr int kRows = kDown * kRowsOfThread, kColumns = kAcross * kWidth;  // of a warp's tile

  int lane = int(threadIdx.x) % 32;
  int down = kWidth == 8 ? lane / 2 % 2 + lane / 16 * 2 : lane / 2 % 8;
  int across = kWidth == 8 ? lane % 2 + lane / 4 % 4 * 2 : lane % 2 + lane / 16 * 2;
  __device__ int row(int i) const { return down + i * kDown; }                 // of the thread's i-th
  __device__ int column(int j) const { return across * 4 + j * kAcross * 4; }  // of its j-th vector
};

__device__ __forceinline__ float4 load_four(unsigned address) {
  float4 four;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
               : "r"(address)
               : "memory");
  return four;
}

// What is multiplied after what: row by row; or two rows at a time, (0,0) (1,0) (1,1) (0,1) (0,2) …, and back in the
// next two, so that each multiply-add shares an element of a or of b with the one before it.
enum class Order { Rows, Pairs };

// `a`: the first of the warp's rows, a multiple of 8 from the tile's begin, which is a multiple of 1024 bytes.
// `b`: the warp's first column. Of the tile's depth, kChunks times four from `first` on.
template <int kWidth, int kTileColumns, int kChunks = kTileDepth / 4, int kUnroll = 1, Order kOrder = Order::Rows>
__device__ __forceinline__ void multiply(float (&sums)[kRowsOfThread][kWidth], const float* a, const float* b,
                                         unsigned first = 0) {
  const Lanes<kWidth> lanes;
  // Addresses in shared memory have 32 bits: half the registers. Rows i and i + 2 differ by multiples of 8.
  unsigned row_of_a = unsigned(__cvta_generic_to_shared(&a[lanes.down * kTileDepth])) ^ unsigned(lanes.down * 16);
  unsigned row_of_b = unsigned(__cvta_generic_to_shared(&b[lanes.column(0)])) + first * unsigned(16 * kTileColumns);
#pragma unroll kUnroll
  for (unsigned chunk = first; chunk < first + kChunks; ++chunk) {
    float from_a[kRowsOfThread][4];
#pragma unroll
    for (int i = 0; i < kRowsOfThread; ++i) {
      unsigned place = row_of_a ^ (chunk ^ unsigned(i * Lanes<kWidth>::kDown % 8)) * 16;
      const float4 four = load_four(place + unsigned(i * Lanes<kWidth>::kDown * kTileDepth * 4));
      from_a[i][0] = four.x, from_a[i][1] = four.y, from_a[i][2] = four.z, from_a[i][3] = four.w;
    }
#pragma unroll
    for (int deep = 0; deep < 4; ++deep) {
      float from_b[kWidth];
#pragma unroll
      for (int j = 0; j < kWidth / 4; ++j) {
        const float4 four = load_four(row_of_b + unsigned((deep * kTileColumns + j * Lanes<kWidth>::kAcross * 4) * 4));
        from_b[j * 4] = four.x, from_b[j * 4 + 1] = four.y, from_b[j * 4 + 2] = four.z, from_b[j * 4 + 3] = four.w;
      }
#pragma unroll
      for (int first_row = 0; first_row < kRowsOfThread; first_row += 2)
#pragma unroll
        for (int step = 0; step < 2 * kWidth; ++step) {
          const bool pairs = kOrder == Order::Pairs;
          const int across = pairs ? step / 2 : step % kWidth, down = pairs ? (step ^ step / 2) % 2 : step / kWidth;
          const int i = first_row + down, j = pairs && first_row / 2 % 2 ? kWidth - 1 - across : across;
          sums[i][j] += from_a[i][deep] * from_b[j];
        }
    }
    row_of_b += unsigned(4 * kTileColumns * 4);
  }
}

// The sums to (row, column) and on, 16 bytes at a time, of `count` rows of the thread from `first` on. n % 4 == 0.
template <int kWidth>
__device__ __forceinline__ void store(float* c, int m, int n, int row, int column,
                                      const float (&sums)[kRowsOfThread][kWidth], int first = 0,
                                      int count = kRowsOfThread) {
  const Lanes<kWidth> lanes;
#pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kWidth / 4; ++j) {
      int r = row + lanes.row(i), s = column + lanes.column(j);
      if (i >= first && i < first + count && r < m && s < n)
        *reinterpret_cast<float4*>(&c[size_t(r) * n + s]) = {sums[i][j * 4], sums[i][j * 4 + 1], sums[i][j * 4 + 2],
                                                             sums[i][j * 4 + 3]};
    }
}

// Blocks in groups of kGroup rows of tiles, column by column: those that run at a time are about a square, and what one
// reads the others find in L2.
constexpr int kGroup = 8;
__device__ __forceinline__ void place_of(int block, int down, int across, int& row, int& column) {
  int group = block / (kGroup * across), first = group * kGroup, height = min(kGroup, down - first);
  int within = block - first * across;
  row = first + within % height, column = within / height;
}
