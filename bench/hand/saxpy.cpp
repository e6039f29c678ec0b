#include "hand/warp.h"

namespace warpwise::bench {

void hand_saxpy(const Launch& launch, uint64_t first, uint64_t last) {
  auto x = launch.argument<const float*>(0);
  auto y = launch.argument<float*>(1);
  __m512 a = _mm512_set1_ps(launch.argument<float>(2));
  int n = launch.argument<int>(3);
  for (uint64_t block = first; block < last; ++block)
    for (int t = 0; t < 256; t += kHalf) {
      int i = static_cast<int>(block) * 256 + t;
      __mmask16 active = first_lanes(n - i);
      __m512 sum = _mm512_fmadd_ps(a, _mm512_maskz_loadu_ps(active, x + i), _mm512_maskz_loadu_ps(active, y + i));
      _mm512_mask_storeu_ps(y + i, active, sum);
    }
}

}  // namespace warpwise::bench
