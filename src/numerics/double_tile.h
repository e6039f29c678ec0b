// The product of one tile of doubles: 8 or 16 rows by 8 columns, a row of sums in a vector. Compiled for AVX-512 and
// AVX2 (tile_*.cpp), the two that have fused multiply-adds.
//
// Each sum is a chain of fused multiply-adds in the order of k, as in multiply(), so nothing has to be aligned. The
// cost lies in the conversion of fragments to rows. Eight lanes at a time of a register pair (low and high words of a
// double) become a vector; with lane 4g + t (the diagram is in product.h):
//
//     a    vector q: rows 2q and 2q + 1, k = 0 to 3 each      in memory [row][k], from where each element is broadcast
//     b    the same with columns, transposed:                  a vector for each k
//     c    registers 0 and 1: columns 0 2 4 6 and 1 3 5 7      interleaved: a vector for each row
#pragma once

#include <cstdint>

namespace warpwise::numerics {

struct DoubleTile {
  const uint32_t *a, *b, *c;  // word w of lane l at [w * 32 + l]
  uint32_t* d;
  unsigned rows, k;  // 8 or 16; up to 16
};

// False when a sum is NaN: only the plain product determines which NaN.
using DoubleTileFunction = bool (*)(const DoubleTile&);
bool multiply_doubles_avx512(const DoubleTile& tile);
bool multiply_doubles_avx2(const DoubleTile& tile);
DoubleTileFunction double_tile_function();  // the function for this processor, or null (multiply_fast.cpp)

}  // namespace warpwise::numerics

#ifdef WARPWISE_DOUBLE_TILE_FUNCTION

#include <cstring>

namespace warpwise::numerics {
namespace {

namespace doubles {

typedef double D __attribute__((vector_size(64)));
typedef uint64_t L __attribute__((vector_size(64)));
typedef uint32_t HalfU __attribute__((vector_size(32)));

constexpr unsigned kLanes = 32, kStep = 4;  // k of one step: what a register pair of a holds

// Lanes 8q to 8q + 7 of register pair `pair`.
inline D load(const uint32_t* words, unsigned pair, unsigned q) {
  HalfU low, high;
  std::memcpy(&low, words + 2 * pair * kLanes + 8 * q, sizeof low);
  std::memcpy(&high, words + (2 * pair + 1) * kLanes + 8 * q, sizeof high);
  return (D)(__builtin_convertvector(low, L) | __builtin_convertvector(high, L) << 32);
}

inline void store(uint32_t* words, unsigned pair, unsigned q, D value) {
  const HalfU low = __builtin_convertvector((L)value, HalfU), high = __builtin_convertvector((L)value >> 32, HalfU);
  std::memcpy(words + 2 * pair * kLanes + 8 * q, &low, sizeof low);
  std::memcpy(words + (2 * pair + 1) * kLanes + 8 * q, &high, sizeof high);
}

template <unsigned Rows>
bool multiply(const DoubleTile& tile) {
  D sums[Rows];
  for (unsigned q = 0; q < Rows / 2; ++q) {
    const D even = load(tile.c, q / 4 * 2, q % 4), odd = load(tile.c, q / 4 * 2 + 1, q % 4);
    sums[2 * q] = __builtin_shufflevector(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    sums[2 * q + 1] = __builtin_shufflevector(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  for (unsigned step = 0; step < tile.k / kStep; ++step) {
    alignas(64) double a[Rows * kStep];
    for (unsigned q = 0; q < Rows / 2; ++q) {
      const D rows = load(tile.a, step * (Rows / 8) + q / 4, q % 4);
      std::memcpy(a + 8 * q, &rows, sizeof rows);
    }
    D columns[4], b[kStep];
    for (unsigned q = 0; q < 4; ++q) columns[q] = load(tile.b, step, q);
#define FIRST(v, w) __builtin_shufflevector(v, w, 0, 4, 8, 12, 1, 5, 9, 13)
#define LAST(v, w) __builtin_shufflevector(v, w, 2, 6, 10, 14, 3, 7, 11, 15)
    const D low = FIRST(columns[0], columns[1]), high = FIRST(columns[2], columns[3]);
    const D low_last = LAST(columns[0], columns[1]), high_last = LAST(columns[2], columns[3]);
#undef FIRST
#undef LAST
    b[0] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11),
    b[1] = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    b[2] = __builtin_shufflevector(low_last, high_last, 0, 1, 2, 3, 8, 9, 10, 11);
    b[3] = __builtin_shufflevector(low_last, high_last, 4, 5, 6, 7, 12, 13, 14, 15);
#pragma GCC unroll 4
    for (unsigned k = 0; k < kStep; ++k)
#pragma GCC unroll 16
      for (unsigned row = 0; row < Rows; ++row)
        sums[row] = a[row * kStep + k] * b[k] + sums[row];  // fused: -ffp-contract=fast
  }
  L numbers = ~L{};
  for (unsigned row = 0; row < Rows; ++row) numbers &= (L)(sums[row] == sums[row]);
  bool any_nan = false;
  for (unsigned n = 0; n < 8; ++n) any_nan |= numbers[n] == 0;
  if (any_nan) return false;
  for (unsigned q = 0; q < Rows / 2; ++q) {
    store(tile.d, q / 4 * 2, q % 4, __builtin_shufflevector(sums[2 * q], sums[2 * q + 1], 0, 2, 4, 6, 8, 10, 12, 14));
    store(tile.d, q / 4 * 2 + 1, q % 4,
          __builtin_shufflevector(sums[2 * q], sums[2 * q + 1], 1, 3, 5, 7, 9, 11, 13, 15));
  }
  return true;
}

}  // namespace doubles
}  // namespace

bool WARPWISE_DOUBLE_TILE_FUNCTION(const DoubleTile& tile) {
  return tile.rows == 8 ? doubles::multiply<8>(tile) : doubles::multiply<16>(tile);
}

}  // namespace warpwise::numerics

#endif
