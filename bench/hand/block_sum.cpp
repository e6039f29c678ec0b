#include "hand/warp.h"

namespace warpwise::bench {

void hand_block_sum(const Launch& launch, uint64_t first, uint64_t last) {
  auto x = launch.argument<const float*>(0);
  auto sums = launch.argument<float*>(1);
  int n = launch.argument<int>(2);
  alignas(64) float part[256];
  for (uint64_t block = first; block < last; ++block) {
    for (int t = 0; t < 256; t += kHalf) {
      int i = static_cast<int>(block) * 256 + t;
      _mm512_store_ps(part + t, _mm512_maskz_loadu_ps(first_lanes(n - i), x + i));
    }
    reduce_tree(part, [](__m512 a, __m512 b) { return _mm512_add_ps(a, b); });
    sums[block] = part[0];
  }
}

}  // namespace warpwise::bench
