#include <cmath>

#include "cases/case.h"

namespace warpwise::bench {

Case make_mandelbrot() {
  constexpr int side = 1024, limit = 256;
  constexpr float scale = 3.0f / side;
  std::vector<int> want(side * side);
  double steps = 0;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      float x0 = std::fma(float(column), scale, -2.0f), y0 = std::fma(float(row), scale, -1.5f), x = 0, y = 0;
      int step = 0;
      while (std::fma(x, x, y * y) < 4.0f && step < limit) {
        float next = std::fma(x, x, std::fma(-y, y, x0));
        y = std::fma(x + x, y, y0);
        x = next;
        ++step;
      }
      want[row * side + column] = step;
      steps += step;
    }
  Case result;
  result.grid = {side / 32, side / 8};
  result.block = {32, 8};
  result.buffers = {Bytes(want.size() * sizeof(int))};
  result.scalars = {side, side, scale, limit};
  result.output = 0;
  result.rate = Rate::Gflops;
  result.work = 10 * steps;  // four fma, one sum, one product
  result.problem = expect_equal(std::move(want), 100);
  return result;
}

}  // namespace warpwise::bench
