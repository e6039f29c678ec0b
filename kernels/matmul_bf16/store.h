// The sums of a warpgroup (../parts/wgmma.h) to the result, rounded to bfloat16: four bytes per thread, so that four
// neighbours fill half a sector.
#pragma once

#include "../parts/wgmma.h"

template <int kEights>
__device__ __forceinline__ void store_sums(__nv_bfloat16* c, int m, int n, int first_row, int first_column,
                                           const float (&sums)[kEights][4]) {
  int thread = int(threadIdx.x) % 128, row = first_row + thread / 32 * 16 + thread % 32 / 4;
#pragma unroll
  for (int j = 0; j < kEights; ++j)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int r = row + half * 8, s = first_column + j * 8 + thread % 4 * 2;
      if (r < m && s < n)
        *reinterpret_cast<__nv_bfloat162*>(&c[size_t(r) * n + s]) =
            __floats2bfloat162_rn(sums[j][half * 2], sums[j][half * 2 + 1]);
    }
}
