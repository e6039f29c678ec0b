#include "hand/warp.h"

namespace warpwise::bench {

// A lane that has left computes on, but its bit is gone from the mask: its x and y are not read.
void hand_mandelbrot(const Launch& launch, uint64_t first, uint64_t last) {
  auto steps = launch.argument<int*>(0);
  int width = launch.argument<int>(1), height = launch.argument<int>(2), limit = launch.argument<int>(4);
  float scale = launch.argument<float>(3);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512 four = _mm512_set1_ps(4);
  const __m512i one = _mm512_set1_epi32(1);
  for (uint64_t block = first; block < last; ++block)
    for (int warp = 0; warp < 8; ++warp) {
      int column = static_cast<int>(block % launch.grid.x) * kWarp,
          row = static_cast<int>(block / launch.grid.x) * 8 + warp;
      if (row >= height) break;
      __m512 x0[2], x[2], y[2], y0 = _mm512_fmadd_ps(_mm512_set1_ps(row), _mm512_set1_ps(scale), _mm512_set1_ps(-1.5f));
      __m512i count[2];
      __mmask16 inside[2], active[2];
      for (int h = 0; h < 2; ++h) {
        inside[h] = active[h] = first_lanes(width - column - kHalf * h);
        __m512 place = _mm512_cvtepi32_ps(_mm512_add_epi32(lanes, _mm512_set1_epi32(column + kHalf * h)));
        x0[h] = _mm512_fmadd_ps(place, _mm512_set1_ps(scale), _mm512_set1_ps(-2));
        x[h] = y[h] = _mm512_setzero_ps();
        count[h] = _mm512_setzero_si512();
      }
      for (int step = 0; step < limit; ++step) {
        for (int h = 0; h < 2; ++h) {
          __m512 square = _mm512_fmadd_ps(x[h], x[h], _mm512_mul_ps(y[h], y[h]));
          active[h] = _mm512_mask_cmp_ps_mask(active[h], square, four, _CMP_LT_OQ);
        }
        if (_mm512_kortestz(active[0], active[1])) break;
        for (int h = 0; h < 2; ++h) {
          __m512 next = _mm512_fmadd_ps(x[h], x[h], _mm512_fnmadd_ps(y[h], y[h], x0[h]));
          y[h] = _mm512_fmadd_ps(_mm512_add_ps(x[h], x[h]), y[h], y0);
          x[h] = next;
          count[h] = _mm512_mask_add_epi32(count[h], active[h], count[h], one);
        }
      }
      for (int h = 0; h < 2; ++h)
        _mm512_mask_storeu_epi32(steps + row * width + column + kHalf * h, inside[h], count[h]);
    }
}

}  // namespace warpwise::bench
