#include "hand/warp.h"

namespace warpwise::bench {

void hand_sgemm_naive(const Launch& launch, uint64_t first, uint64_t last) {
  auto a = launch.argument<const float*>(0), b = launch.argument<const float*>(1);
  auto c = launch.argument<float*>(2);
  int n = launch.argument<int>(3);
  for (uint64_t block = first; block < last; ++block) {
    int column = static_cast<int>(block % launch.grid.x) * kWarp, top = static_cast<int>(block / launch.grid.x) * 8;
    for (int row = top; row < top + 8; ++row) {
      Floats sum = all(0);
      const float* pa = a + row * n;
      const float* pb = b + column;
#pragma GCC unroll 4
      for (int k = 0; k < n; ++k, pb += n) sum = fma(all(pa[k]), load(pb), sum);
      store(c + row * n + column, sum);
    }
  }
}

}  // namespace warpwise::bench
