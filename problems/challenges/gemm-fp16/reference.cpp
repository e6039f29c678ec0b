// C = alpha * A * B + beta * C
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  for (const char* name : {"A", "B", "C"}) c.fill(name, [&] { return c.random().uniform(-1, 2); });
}

void expect(Case& c) {
  const size_t rows = size_t(c.size("M")), columns = size_t(c.size("N")), inner = size_t(c.size("K"));
  const double alpha = double(float(c.scalar("alpha"))), beta = double(float(c.scalar("beta")));
  auto doubles = [&](const char* name) {
    ConstValues from = c.input(name);
    std::vector<double> to(from.size());
    for (size_t i = 0; i < to.size(); ++i) to[i] = from[i];
    return to;
  };
  const std::vector<double> a = doubles("A"), b = doubles("B"), before = doubles("C");
  auto out = c.expected("C"), bound = c.bound("C");
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < inner; ++j)
      for (size_t k = 0; k < columns; ++k) {
        const double product = a[i * inner + j] * b[j * columns + k];
        out[i * columns + k] += product;
        bound[i * columns + k] += std::fabs(product);
      }
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = alpha * out[i] + beta * before[i];
    // K products and sums, two scalings and a sum in single precision; then half a unit in the last place of a half.
    const double single = gamma_n(double(inner) + 4) * (std::fabs(alpha) * bound[i] + std::fabs(beta * before[i]));
    bound[i] = single + kHalfRoundoff * (std::fabs(out[i]) + single) + 0x1p-25;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
