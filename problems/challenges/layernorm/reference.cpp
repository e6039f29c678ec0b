// Each row: (x - mean) / sqrt(variance + eps) * weight + bias, with the variance over C (not C - 1)
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  Values x = c.make("input");
  const size_t columns = size_t(c.size("C"));
  double mean = 0, spread = 1;
  for (size_t i = 0; i < x.size(); ++i) {
    if (i % columns == 0) mean = r.uniform(-2, 2), spread = r.uniform(0.5, 3);
    x.set(i, mean + spread * r.uniform(-1.5, 2));
  }
  c.fill("weight", [&] { return r.uniform(0.5, 2) * (r.chance(0.5) ? 1 : -1); });
  c.fill("bias", [&] { return r.uniform(-1, 1); });
}

void expect(Case& c) {
  auto x = c.input("input").as<float>(), weight = c.input("weight").as<float>(), bias = c.input("bias").as<float>();
  auto y = c.expected("output"), bound = c.bound("output");
  const size_t columns = size_t(c.size("C"));
  const double n = double(columns), eps = double(float(c.scalar("eps")));
  for (size_t first = 0; first < x.size(); first += columns) {
    double mean = 0, magnitude = 0, square = 0, variance = 0;
    for (size_t i = 0; i < columns; ++i) {
      const double v = double(x[first + i]);
      mean += v / n, magnitude += std::fabs(v) / n, square += v * v / n;
    }
    for (size_t i = 0; i < columns; ++i) variance += (double(x[first + i]) - mean) * (double(x[first + i]) - mean) / n;
    // The variance may be taken as the mean of squares less the square of the mean: its error is that of the two, which are larger.
    const double mean_error = gamma_n(n + 1) * magnitude;
    const double variance_error = gamma_n(n + 4) * (square + mean * mean) + 2 * std::fabs(mean) * mean_error;
    const double deviation = std::sqrt(variance + eps);
    for (size_t i = 0; i < columns; ++i) {
      const double distance = double(x[first + i]) - mean, w = double(weight[i]), b = double(bias[i]), scaled = w * distance / deviation;
      y[first + i] = scaled + b;
      // rsqrtf is off by two units in the last place; the rest is correctly rounded.
      bound[first + i] = std::fabs(w) / deviation * (mean_error + std::fabs(distance) * variance_error / (variance + eps)) +
                         gamma_n(10) * (std::fabs(scaled) + std::fabs(b)) +
                         gamma_n(4) * std::fabs(w) / deviation * (std::fabs(mean) + std::fabs(double(x[first + i])));
    }
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
