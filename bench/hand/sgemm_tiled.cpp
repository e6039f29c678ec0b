#include "hand/warp.h"

namespace warpwise::bench {

// A warp is two rows of the tile: lanes 0..15 and 16..31 each share one element of A, and both use the same
// row of B.
void hand_sgemm_tiled(const Launch& launch, uint64_t first, uint64_t last) {
  auto a = launch.argument<const float*>(0), b = launch.argument<const float*>(1);
  auto c = launch.argument<float*>(2);
  int n = launch.argument<int>(3);
  alignas(64) float tile_a[16][16], tile_b[16][16], sums[16][16];
  for (uint64_t block = first; block < last; ++block) {
    int column = static_cast<int>(block % launch.grid.x) * 16, row = static_cast<int>(block / launch.grid.x) * 16;
    for (int y = 0; y < 16; ++y) _mm512_store_ps(sums[y], _mm512_setzero_ps());
    for (int t = 0; t < n / 16; ++t) {
      for (int y = 0; y < 16; ++y) {
        _mm512_store_ps(tile_a[y], _mm512_loadu_ps(a + (row + y) * n + t * 16));
        _mm512_store_ps(tile_b[y], _mm512_loadu_ps(b + (t * 16 + y) * n + column));
      }
      for (int y = 0; y < 16; y += 2) {
        __m512 low = _mm512_load_ps(sums[y]), high = _mm512_load_ps(sums[y + 1]);
#pragma GCC unroll 16
        for (int k = 0; k < 16; ++k) {
          __m512 row_b = _mm512_load_ps(tile_b[k]);
          low = _mm512_fmadd_ps(_mm512_set1_ps(tile_a[y][k]), row_b, low);
          high = _mm512_fmadd_ps(_mm512_set1_ps(tile_a[y + 1][k]), row_b, high);
        }
        _mm512_store_ps(sums[y], low);
        _mm512_store_ps(sums[y + 1], high);
      }
    }
    for (int y = 0; y < 16; ++y) _mm512_storeu_ps(c + (row + y) * n + column, _mm512_load_ps(sums[y]));
  }
}

}  // namespace warpwise::bench
