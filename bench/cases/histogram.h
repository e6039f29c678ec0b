// How often each of 256 values occurs in 16 million bytes, which two kernels count.
#pragma once

#include "cases/case.h"

namespace warpwise::bench {

inline Case histogram(unsigned blocks) {
  constexpr int n = 1 << 24;
  std::vector<int> values = random_ints(n, 1, 256), want(256);
  std::vector<uint8_t> bytes(values.begin(), values.end());
  for (int v : values) ++want[v];
  Case result;
  result.grid = {blocks};
  result.block = {256};
  result.buffers = {to_bytes(bytes), Bytes(256 * sizeof(int))};
  result.scalars = {n};
  result.output = 1;
  result.work = n;
  result.problem = expect_equal(std::move(want));
  return result;
}

}  // namespace warpwise::bench
