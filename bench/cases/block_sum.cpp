#include "cases/case.h"

namespace warpwise::bench {

Case make_block_sum() {
  constexpr int n = 1 << 24;
  std::vector<float> x = random_floats(n, 1), want(n / 256);
  for (int i = 0; i < n; ++i) want[i / 256] += x[i];
  Case result;
  result.grid = {blocks_for(n, 256)};
  result.block = {256};
  result.buffers = {to_bytes(x), Bytes(want.size() * sizeof(float))};
  result.scalars = {n};
  result.output = 1;
  result.work = 4.0 * n;
  result.problem = expect_close(std::move(want), 1e-4f);
  return result;
}

}  // namespace warpwise::bench
