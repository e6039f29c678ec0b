#include "cases/case.h"

namespace warpwise::bench {

Case make_stencil() {
  constexpr int n = 4096;
  constexpr float centre = 0.5f, side = 0.125f;
  std::vector<float> in = random_floats(n * n, 1), want = in;
  for (int y = 1; y < n - 1; ++y)
    for (int x = 1; x < n - 1; ++x) {
      int i = y * n + x;
      want[i] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    }
  Case result;
  result.grid = {n / 32, n / 8};
  result.block = {32, 8};
  result.buffers = {to_bytes(in), Bytes(in.size() * sizeof(float))};
  result.scalars = {n, n, centre, side};
  result.output = 1;
  result.work = 8.0 * n * n;
  result.problem = expect_close(std::move(want), 1e-6f);
  return result;
}

}  // namespace warpwise::bench
