// output[c][r] = input[r][c]
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(-100, 100); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>();
  auto out = c.expected("output");
  const size_t rows = size_t(c.size("rows")), columns = size_t(c.size("cols"));
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) out[column * rows + row] = double(in[row * columns + column]);
}

WARPWISE_PROBLEM(make_inputs, expect)
