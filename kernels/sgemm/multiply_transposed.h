// A thread's part of a tile as in multiply.h, from a tile of a that has been transposed: rows along m.
//
//     a   rows of kTileRows floats, one for each k      b   rows of kTileColumns floats
//
// For each k a thread reads two vectors of a and four of b, while it multiplies those of the k before. Both vectors lie
// along sums, and that is what counts: a vector that is loaded fills registers of both banks in turn. Eight
// multiply-adds in a row share one element of b, which is kept, and read one of a and one sum each. With neighbours
// along k in a vector, all eight elements of a would be in one bank, and half of the sums in it, too. Every second
// column goes the other way, so that the one before it leaves an element of a.
//
// Sums are stored one by one. A store of 16 bytes would want four neighbours of a row in a vector of registers, so that
// banks of sums would follow columns; but eight sums of a column are what one element of b is multiplied for.
#pragma once

#include "multiply.h"

template <int kWidth>
struct TransposedLanes {
  static constexpr int kDown = Lanes<kWidth>::kDown, kRows = Lanes<kWidth>::kRows;

  Lanes<kWidth> lanes;
  __device__ int row(int i) const { return lanes.down * 4 + i % 4 + i / 4 * kDown * 4; }  // of the thread's i-th
  __device__ int column(int j) const { return lanes.column(j); }                          // of its j-th vector
};

template <int kCount, int kApart>
__device__ __forceinline__ void load_vectors(float (&to)[kCount], unsigned address) {
#pragma unroll
  for (int i = 0; i < kCount; i += 4) {
    const float4 four = load_four(address + unsigned(i / 4 * kApart * 4));
    to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
  }
}

// `a`, `b`: the warp's first row and column, of the first k of kDepth. kAtOnce steps along k at a time.
template <int kWidth, int kTileRows, int kTileColumns, int kDepth, int kAtOnce>
__device__ __forceinline__ void multiply_transposed(float (&sums)[kRowsOfThread][kWidth], const float* a,
                                                    const float* b) {
  const TransposedLanes<kWidth> lanes;
  constexpr int kApartDown = TransposedLanes<kWidth>::kDown * 4, kApartAcross = Lanes<kWidth>::kAcross * 4;
  unsigned row_of_a = unsigned(__cvta_generic_to_shared(&a[lanes.row(0)])),
           row_of_b = unsigned(__cvta_generic_to_shared(&b[lanes.column(0)]));
  float from_a[2][kRowsOfThread], from_b[2][kWidth];
  load_vectors<kRowsOfThread, kApartDown>(from_a[0], row_of_a);
  load_vectors<kWidth, kApartAcross>(from_b[0], row_of_b);
#pragma unroll 1
  for (int first = 0; first < kDepth; first += kAtOnce) {
    // After the tile's last row, a row that is not used.
    const unsigned on = first + kAtOnce < kDepth ? kAtOnce : 0;
#pragma unroll
    for (int deep = 0; deep < kAtOnce; ++deep) {
      if (deep + 1 < kAtOnce || kAtOnce < kDepth) {
        const unsigned next = deep + 1 < kAtOnce ? unsigned(deep + 1) : on;
        load_vectors<kWidth, kApartAcross>(from_b[(deep + 1) % 2], row_of_b + next * (kTileColumns * 4));
        load_vectors<kRowsOfThread, kApartDown>(from_a[(deep + 1) % 2], row_of_a + next * (kTileRows * 4));
      }
#pragma unroll
      for (int j = 0; j < kWidth; ++j)
#pragma unroll
        for (int step = 0; step < kRowsOfThread; ++step) {
          const int i = j % 2 ? kRowsOfThread - 1 - step : step;
          sums[i][j] += from_a[deep % 2][i] * from_b[deep % 2][j];
        }
    }
    row_of_a += kAtOnce * kTileRows * 4, row_of_b += kAtOnce * kTileColumns * 4;
  }
}

// Of `count` rows of the thread from `first` on. n % 4 == 0.
template <int kWidth>
__device__ __forceinline__ void store_one_by_one(float* c, int m, int n, int row, int column,
                                                 const float (&sums)[kRowsOfThread][kWidth], int first, int count) {
  const TransposedLanes<kWidth> lanes;
#pragma unroll
  for (int i = 0; i < kRowsOfThread; ++i)
#pragma unroll
    for (int j = 0; j < kWidth; j += 4) {
      int r = row + lanes.row(i), s = column + lanes.column(j / 4);
      if (i >= first && i < first + count && r < m && s < n)
        asm volatile(
            "st.global.f32 [%0], %1;\n"
            "st.global.f32 [%0+4], %2;\n"
            "st.global.f32 [%0+8], %3;\n"
            "st.global.f32 [%0+12], %4;" ::"l"(__cvta_generic_to_global(&c[size_t(r) * n + s])),
            "f"(sums[i][j]), "f"(sums[i][j + 1]), "f"(sums[i][j + 2]), "f"(sums[i][j + 3])
            : "memory");
    }
}
