#include "hand/warp.h"

namespace warpwise::bench {

void hand_stencil(const Launch& launch, uint64_t first, uint64_t last) {
  auto in = launch.argument<const float*>(0);
  auto out = launch.argument<float*>(1);
  int width = launch.argument<int>(2), height = launch.argument<int>(3);
  __m512 centre = _mm512_set1_ps(launch.argument<float>(4)), side = _mm512_set1_ps(launch.argument<float>(5));
  for (uint64_t block = first; block < last; ++block)
    for (int warp = 0; warp < 8; ++warp) {
      int y = static_cast<int>(block / launch.grid.x) * 8 + warp;
      if (y >= height) break;
      for (int h = 0; h < 2; ++h) {
        int x = static_cast<int>(block % launch.grid.x) * kWarp + h * kHalf;
        __mmask16 active = first_lanes(width - x);
        // Neither the first column nor the last, nor the first row or the last.
        __mmask16 inner = active & first_lanes(width - 1 - x) & (x == 0 ? 0xfffe : 0xffff);
        if (y == 0 || y == height - 1) inner = 0;
        const float* p = in + y * width + x;
        __m512 here = _mm512_maskz_loadu_ps(active, p);
        __m512 sides = _mm512_add_ps(_mm512_maskz_loadu_ps(inner, p - 1), _mm512_maskz_loadu_ps(inner, p + 1));
        sides = _mm512_add_ps(sides, _mm512_maskz_loadu_ps(inner, p - width));
        sides = _mm512_add_ps(sides, _mm512_maskz_loadu_ps(inner, p + width));
        __m512 sum = _mm512_mask_mov_ps(here, inner, _mm512_fmadd_ps(centre, here, _mm512_mul_ps(side, sides)));
        _mm512_mask_storeu_ps(out + y * width + x, active, sum);
      }
    }
}

}  // namespace warpwise::bench
