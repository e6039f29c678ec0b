// Inside: the mean of the four neighbours. On the border: the input.
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(-10, 30); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>();
  auto out = c.expected("output"), bound = c.bound("output");
  const size_t rows = size_t(c.size("rows")), columns = size_t(c.size("cols"));
  for (size_t y = 0; y < rows; ++y)
    for (size_t x = 0; x < columns; ++x) {
      const size_t i = y * columns + x;
      out[i] = double(in[i]);
      if (y == 0 || x == 0 || y == rows - 1 || x == columns - 1) continue;
      double sum = 0, magnitude = 0;
      for (size_t neighbour : {i - columns, i + columns, i - 1, i + 1})
        sum += double(in[neighbour]), magnitude += std::fabs(double(in[neighbour]));
      out[i] = sum / 4;
      bound[i] = gamma_n(3) * magnitude / 4;
    }
}

WARPWISE_PROBLEM(make_inputs, expect)
