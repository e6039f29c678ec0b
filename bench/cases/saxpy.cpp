#include "cases/case.h"

namespace warpwise::bench {

Case make_saxpy() {
  constexpr int n = 1 << 24;
  constexpr float a = 1.25f;
  std::vector<float> x = random_floats(n, 1), y = random_floats(n, 2), want(n);
  for (int i = 0; i < n; ++i) want[i] = a * x[i] + y[i];
  Case result;
  result.grid = {blocks_for(n, 256)};
  result.block = {256};
  result.buffers = {to_bytes(x), to_bytes(y)};
  result.scalars = {a, n};
  result.output = 1;
  result.work = 12.0 * n;  // two read, one written
  result.problem = expect_close(std::move(want), 1e-6f);
  return result;
}

}  // namespace warpwise::bench
