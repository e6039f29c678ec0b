#include <algorithm>
#include <cmath>

#include "cases/case.h"

namespace warpwise::bench {

Case make_softmax() {
  constexpr int rows = 4096, columns = 1024;
  std::vector<float> in = random_floats(size_t{rows} * columns, 1, -8, 8), want(in.size());
  for (int r = 0; r < rows; ++r) {
    const float* row = &in[size_t(r) * columns];
    float most = *std::max_element(row, row + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(double(row[i]) - most);
    for (int i = 0; i < columns; ++i) want[size_t(r) * columns + i] = float(std::exp(double(row[i]) - most) / sum);
  }
  Case result;
  result.grid = {rows};
  result.block = {256};
  result.buffers = {to_bytes(in), Bytes(in.size() * sizeof(float))};
  result.scalars = {columns};
  result.output = 1;
  result.work = 8.0 * rows * columns;  // read once, written once, whatever the kernel does in between
  result.problem = expect_close(std::move(want), 1e-7f);
  return result;
}

}  // namespace warpwise::bench
