// The transpose of a 4096×4096 matrix, which two kernels compute; `tile` is the part of the matrix per block.
#pragma once

#include "cases/case.h"

namespace warpwise::bench {

inline Case transpose(Size tile) {
  constexpr int n = 4096;
  std::vector<int> in = random_ints(n * n, 1, 1 << 30), want(n * n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) want[x * n + y] = in[y * n + x];
  Case result;
  result.grid = {n / tile.x, n / tile.y};
  result.block = {32, 8};
  result.buffers = {to_bytes(in), Bytes(in.size() * sizeof(int))};
  result.scalars = {n};
  result.output = 1;
  result.work = 8.0 * n * n;
  result.problem = expect_equal(std::move(want));
  return result;
}

}  // namespace warpwise::bench
