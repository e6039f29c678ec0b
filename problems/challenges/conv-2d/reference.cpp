// output[r][c] = the sum over i, j of input[r + i][c + j] * kernel[i][j]
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(-1, 2); });
  c.fill("kernel", [&] { return c.random().uniform(-2, 3); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>(), weights = c.input("kernel").as<float>();
  auto out = c.expected("output"), bound = c.bound("output");
  const size_t columns = size_t(c.size("input_cols")), height = size_t(c.size("kernel_rows")), width = size_t(c.size("kernel_cols"));
  const size_t out_rows = size_t(c.size("output_rows")), out_columns = size_t(c.size("output_cols"));
  const double error = gamma_n(double(height * width) + 1);
  for (size_t row = 0; row < out_rows; ++row)
    for (size_t i = 0; i < height; ++i)
      for (size_t j = 0; j < width; ++j) {
        const double weight = double(weights[i * width + j]);
        const float* from = &in[(row + i) * columns + j];
        for (size_t column = 0; column < out_columns; ++column) {
          const double product = weight * double(from[column]);
          out[row * out_columns + column] += product;
          bound[row * out_columns + column] += std::fabs(product) * error;
        }
      }
}

WARPWISE_PROBLEM(make_inputs, expect)
