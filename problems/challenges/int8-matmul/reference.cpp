// C = clamp(round(scale_A * scale_B / scale_C * the sum of (A - zero_point_A) * (B - zero_point_B)) + zero_point_C)
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  for (const char* name : {"A", "B"}) c.fill(name, [&] { return double(r.integer(-128, 127)); });
  // Results spread over the range of int8_t; "large": far beyond it, and beyond 16 bits.
  const double mean_square = 74.0 * 74.0 + 2000, spread = c.data() == "large" ? 20000 : 50;
  const float a = float(r.uniform(0.01, 0.1)), b = float(r.uniform(0.01, 0.1));
  c.set_scalar("scale_A", a);
  c.set_scalar("scale_B", b);
  c.set_scalar("scale_C", float(double(a) * double(b) * mean_square * std::sqrt(double(c.size("K"))) / spread));
}

void expect(Case& c) {
  auto a = c.input("A").as<int8_t>(), b = c.input("B").as<int8_t>();
  auto out = c.expected("C"), bound = c.bound("C");
  const size_t rows = size_t(c.size("M")), columns = size_t(c.size("N")), inner = size_t(c.size("K"));
  const int zero_a = int(c.scalar("zero_point_A")), zero_b = int(c.scalar("zero_point_B"));
  const double zero_c = c.scalar("zero_point_C"), scale = c.scalar("scale_A") * c.scalar("scale_B") / c.scalar("scale_C");
  std::vector<int> sums(columns);
  for (size_t i = 0; i < rows; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (size_t j = 0; j < inner; ++j)
      for (size_t k = 0; k < columns; ++k) sums[k] += (int(a[i * inner + j]) - zero_a) * (int(b[j * columns + k]) - zero_b);
    for (size_t k = 0; k < columns; ++k) {
      const double value = double(sums[k]) * scale;
      const double below = std::floor(value), error = gamma_n(10) * (std::fabs(value) + std::fabs(zero_c));
      const bool half_way = std::fabs(value - below - 0.5) <= error;
      auto clamped = [&](double x) { return std::clamp(x + zero_c, -128.0, 127.0); };
      out[i * columns + k] = half_way ? clamped(below) : clamped(std::round(value));
      bound[i * columns + k] = half_way ? clamped(below + 1) - clamped(below) : 0;
    }
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
