// The weights of a thread's columns, in registers for as long as its block stays (../parts/row_ring.h).
#pragma once

#include "../parts/row_ring.h"

// As they lie in memory; bfloat16 stays packed.
template <class T, int kVectors>
struct Weights {
  uint4 raw[kVectors];

  __device__ __forceinline__ Weights(const T* from, const Place& place) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = place.first + v * place.stride;
      raw[v] = i < place.count ? reinterpret_cast<const uint4*>(from)[place.begin + i] : uint4{0, 0, 0, 0};
    }
  }
};
