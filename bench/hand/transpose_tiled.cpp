#include "hand/warp.h"

namespace warpwise::bench {

void hand_transpose_tiled(const Launch& launch, uint64_t first, uint64_t last) {
  auto in = launch.argument<const float*>(0);
  auto out = launch.argument<float*>(1);
  int n = launch.argument<int>(2);
  constexpr int kPitch = 33;
  alignas(64) float tile[32 * kPitch];
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i rows = _mm512_mullo_epi32(lanes, _mm512_set1_epi32(kPitch));
  for (uint64_t block = first; block < last; ++block) {
    int x = static_cast<int>(block % launch.grid.x) * kWarp, y = static_cast<int>(block / launch.grid.x) * kWarp;
    for (int warp = 0; warp < 8; ++warp)
      for (int j = warp; j < 32; j += 8) store(tile + j * kPitch, load(in + (y + j) * n + x));
    for (int warp = 0; warp < 8; ++warp)
      for (int j = warp; j < 32; j += 8) {
        Floats column = {_mm512_i32gather_ps(rows, tile + j, 4),
                         _mm512_i32gather_ps(rows, tile + j + kHalf * kPitch, 4)};
        store(out + (x + j) * n + y, column);
      }
  }
}

}  // namespace warpwise::bench
