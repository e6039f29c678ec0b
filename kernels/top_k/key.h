// An element as a number that orders it: larger floats first, and of equal floats the first.
//
//     bits 63-32   the float's bits, turned so that they compare as unsigned numbers
//     bits 31-0    the complement of its index
//
// No two elements of a row have the same key, so "the k largest keys" has one answer, and selecting by any threshold
// between two keys is exact. 0 is less than any element's key.
#pragma once

#include <cuda_runtime.h>

using Key = unsigned long long;

// Positive floats compare as their bits do, once above the negative ones; negative ones the other way round.
__device__ __forceinline__ unsigned ordered(float x) {
  unsigned bits = __float_as_uint(x);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
__device__ __forceinline__ float from_ordered(unsigned order) {
  return __uint_as_float(order ^ (order >> 31 ? 0x80000000u : 0xffffffffu));
}

__device__ __forceinline__ Key key_of(unsigned order, int index) { return Key(order) << 32 | ~unsigned(index); }
__device__ __forceinline__ float value_of(Key key) { return from_ordered(unsigned(key >> 32)); }
__device__ __forceinline__ int index_of(Key key) { return int(~unsigned(key)); }
