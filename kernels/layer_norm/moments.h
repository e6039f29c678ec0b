// Mean and spread of a row, combined from parts without cancellation.
//
// The variance as E[x²] - E[x]² loses all digits when the mean is large beside the spread. Instead, a part carries its
// own mean and the sum of squared distances from it; two parts combine with the distance of their means (Chan, Golub
// and LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979):
//
//     mean = (n₁ mean₁ + n₂ mean₂) / (n₁ + n₂)      squares = squares₁ + squares₂ + (mean₂ - mean₁)² n₁ n₂ / (n₁ + n₂)
#pragma once

#include "../parts/block_combine.h"

struct Moments {
  float count, mean, squares;
  static __device__ Moments nothing() { return {0, 0, 0}; }
};

__device__ __forceinline__ Moments combine(Moments a, Moments b) {
  float both = a.count + b.count, weight = both > 0 ? __fdividef(b.count, both) : 0.0f, apart = b.mean - a.mean;
  return {both, a.mean + apart * weight, a.squares + b.squares + apart * apart * a.count * weight};
}

__device__ __forceinline__ Moments of_warp(Moments mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    Moments other{__shfl_xor_sync(0xffffffffu, mine.count, distance), __shfl_xor_sync(0xffffffffu, mine.mean, distance),
                  __shfl_xor_sync(0xffffffffu, mine.squares, distance)};
    mine = combine(mine, other);
  }
  return mine;
}

// Of the elements that a thread holds; those of vectors from `valid` on are padding.
template <int kVectors, int kWidth>
__device__ __forceinline__ Moments moments_of(const float (&x)[kVectors][kWidth], int valid) {
  Moments part = Moments::nothing();
#pragma unroll
  for (int v = 0; v < kVectors; ++v)
#pragma unroll
    for (float element : x[v]) part.mean += element;  // padding is 0
  part.count = float(min(max(valid, 0), kVectors) * kWidth);
  part.mean = part.count > 0 ? part.mean / part.count : 0;
#pragma unroll
  for (int v = 0; v < kVectors; ++v)
#pragma unroll
    for (float element : x[v])
      if (v < valid) part.squares += (element - part.mean) * (element - part.mean);
  return part;
}

// The sum of squares alone: all that RMS norm wants.
struct Squares {
  float sum;
  static __device__ Squares nothing() { return {0}; }
};

__device__ __forceinline__ Squares of_warp(Squares mine) { return {sum_of_warp(mine.sum)}; }

template <int kVectors, int kWidth>
__device__ __forceinline__ Squares squares_of(const float (&x)[kVectors][kWidth]) {
  Squares part = Squares::nothing();
#pragma unroll
  for (int v = 0; v < kVectors; ++v)
#pragma unroll
    for (float element : x[v]) part.sum += element * element;
  return part;
}
