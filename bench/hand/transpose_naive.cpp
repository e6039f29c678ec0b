#include "hand/warp.h"

namespace warpwise::bench {

// A warp's stores are a column apart: 32 scalar moves, which no scatter instruction beats.
void hand_transpose_naive(const Launch& launch, uint64_t first, uint64_t last) {
  auto in = launch.argument<const int32_t*>(0);
  auto out = launch.argument<int32_t*>(1);
  int n = launch.argument<int>(2);
  for (uint64_t block = first; block < last; ++block) {
    int column = static_cast<int>(block % launch.grid.x) * kWarp, top = static_cast<int>(block / launch.grid.x) * 8;
    for (int row = top; row < top + 8; ++row) {
      const int32_t* from = in + row * n + column;
      int32_t* to = out + column * n + row;
#pragma GCC unroll 32
      for (int lane = 0; lane < kWarp; ++lane) to[lane * n] = from[lane];
    }
  }
}

}  // namespace warpwise::bench
