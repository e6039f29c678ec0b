// output[n][c][y][x] = the largest input in the window at (y * stride - padding, x * stride - padding)
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  const bool negative = c.data() == "all negative";
  // From -1 to -1e30: a maximum that begins at 0, at -1000 or at -1e9 is too large.
  c.fill("input", [&] { return negative ? -std::exp(c.random().uniform(0, 69)) : c.random().uniform(-10, 10); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>();
  auto out = c.expected("output");
  const int64_t planes = c.size("N") * c.size("C"), height = c.size("H"), width = c.size("W"), out_height = c.size("out_h"),
                out_width = c.size("out_w");
  const int64_t window = c.size("kernel_size"), stride = c.size("stride"), padding = c.size("padding");
  size_t at = 0;
  for (int64_t plane = 0; plane < planes; ++plane)
    for (int64_t y = 0; y < out_height; ++y)
      for (int64_t x = 0; x < out_width; ++x) {
        double most = -INFINITY;
        for (int64_t row = std::max<int64_t>(0, y * stride - padding); row < std::min(height, y * stride - padding + window); ++row)
          for (int64_t column = std::max<int64_t>(0, x * stride - padding); column < std::min(width, x * stride - padding + window);
               ++column)
            most = std::max(most, double(in[size_t((plane * height + row) * width + column)]));
        out[at++] = most;
      }
}

WARPWISE_PROBLEM(make_inputs, expect)
