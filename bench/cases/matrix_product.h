// The product of two 1024×1024 matrices, which two kernels compute.
#pragma once

#include "cases/case.h"

namespace warpwise::bench {

inline Case matrix_product(Size block) {
  constexpr int n = 1024;
  std::vector<float> a = random_floats(n * n, 1), b = random_floats(n * n, 2), c(n * n);
  std::vector<double> row(n);
  for (int y = 0; y < n; ++y) {
    row.assign(n, 0);
    for (int k = 0; k < n; ++k)
      for (int x = 0; x < n; ++x) row[x] += double(a[y * n + k]) * b[k * n + x];
    for (int x = 0; x < n; ++x) c[y * n + x] = static_cast<float>(row[x]);
  }
  Case result;
  result.grid = {blocks_for(n, block.x), blocks_for(n, block.y)};
  result.block = block;
  result.buffers = {to_bytes(a), to_bytes(b), Bytes(n * n * sizeof(float))};
  result.scalars = {n};
  result.output = 2;
  result.rate = Rate::Gflops;
  result.work = 2.0 * n * n * n;
  result.problem = expect_close(std::move(c), 1e-4f);
  return result;
}

}  // namespace warpwise::bench
