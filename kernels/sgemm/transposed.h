// a with its rows and columns exchanged, in memory that stays from one call to the next.
#pragma once

#include "../parts/kept_memory.h"
#include "../transpose/tiles.h"

constexpr int kTransposeSide = 64, kTransposeThreads = 256;

// Rows and columns in vectors of four.
__global__ void __launch_bounds__(kTransposeThreads) transpose(const float4* in, float4* out, int rows, int columns) {
  __shared__ float4 tile[kTransposeSide * kTransposeSide / 4];
  transpose_tile<kTransposeSide, kTransposeSide, kTransposeThreads>(
      in, out, rows, columns, int(blockIdx.x) * (kTransposeSide / 4), int(blockIdx.y) * (kTransposeSide / 4), tile);
}

// m % 4 == 0 and k % 4 == 0.
inline const float* transposed(const float* a, int m, int k) {
  static KeptMemory memory;
  float* room = static_cast<float*>(memory.of(size_t(m) * k * sizeof *a));
  const dim3 tiles((m + kTransposeSide - 1) / kTransposeSide, (k + kTransposeSide - 1) / kTransposeSide);
  transpose<<<tiles, kTransposeThreads>>>(reinterpret_cast<const float4*>(a), reinterpret_cast<float4*>(room), m / 4,
                                          k / 4);
  return room;
}
