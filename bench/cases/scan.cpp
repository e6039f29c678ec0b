#include "cases/case.h"

namespace warpwise::bench {

Case make_scan() {
  constexpr int n = 1 << 24;
  std::vector<int> in = random_ints(n, 1, 1000), want(n);
  for (int i = 0; i < n; ++i) want[i] = in[i] + (i % 256 ? want[i - 1] : 0);
  Case result;
  result.grid = {blocks_for(n, 256)};
  result.block = {256};
  result.buffers = {to_bytes(in), Bytes(in.size() * sizeof(int))};
  result.scalars = {n};
  result.output = 1;
  result.work = 8.0 * n;
  result.problem = expect_equal(std::move(want));
  return result;
}

}  // namespace warpwise::bench
