#include <cmath>

#include "cases/case.h"

namespace warpwise::bench {

Case make_n_body() {
  constexpr int n = 16384;
  constexpr float softening = 0.01f;
  std::vector<float> bodies = random_floats(4 * n, 1), want(4 * n);
  for (int i = 0; i < n; ++i) bodies[4 * i + 3] = std::fabs(bodies[4 * i + 3]) / n;  // masses, about one in all
  // Bodies side by side, so that the compiler can take several at a time; sums in double precision.
  std::vector<float> x(n), y(n), z(n);
  std::vector<double> sx(n), sy(n), sz(n);
  for (int i = 0; i < n; ++i) x[i] = bodies[4 * i], y[i] = bodies[4 * i + 1], z[i] = bodies[4 * i + 2];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
      float pull = bodies[4 * j + 3] * inverse * inverse * inverse;
      sx[i] += dx * pull, sy[i] += dy * pull, sz[i] += dz * pull;
    }
  for (int i = 0; i < n; ++i)
    want[4 * i] = float(sx[i]), want[4 * i + 1] = float(sy[i]), want[4 * i + 2] = float(sz[i]);
  Case result;
  result.grid = {n / 256};
  result.block = {256};
  result.buffers = {to_bytes(bodies), Bytes(bodies.size() * sizeof(float))};
  result.scalars = {n, softening};
  result.output = 1;
  result.rate = Rate::Gflops;
  result.work = 20.0 * n * n;  // the usual count for one interaction
  result.problem = expect_close(std::move(want), 1e-4f);
  return result;
}

}  // namespace warpwise::bench
