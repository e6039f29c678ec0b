// Each column: (x - mean) / sqrt(variance + eps) * gamma + beta, with the variance over N (not N - 1)
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const size_t columns = size_t(c.size("C"));
  std::vector<double> mean(columns), spread(columns);
  for (size_t k = 0; k < columns; ++k) mean[k] = r.uniform(-2, 2), spread[k] = r.uniform(0.5, 3);
  Values x = c.make("input");
  for (size_t i = 0; i < x.size(); ++i) x.set(i, mean[i % columns] + spread[i % columns] * r.uniform(-1.5, 2));
  c.fill("gamma", [&] { return r.uniform(0.5, 2) * (r.chance(0.5) ? 1 : -1); });
  c.fill("beta", [&] { return r.uniform(-1, 1); });
}

void expect(Case& c) {
  auto x = c.input("input").as<float>(), scales = c.input("gamma").as<float>(), shifts = c.input("beta").as<float>();
  auto y = c.expected("output"), bound = c.bound("output");
  const size_t columns = size_t(c.size("C"));
  const double n = double(c.size("N")), eps = double(float(c.scalar("eps")));
  std::vector<double> mean(columns), magnitude(columns), square(columns), variance(columns);
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = double(x[i]);
    mean[i % columns] += v / n, magnitude[i % columns] += std::fabs(v) / n, square[i % columns] += v * v / n;
  }
  for (size_t i = 0; i < x.size(); ++i)
    variance[i % columns] += (double(x[i]) - mean[i % columns]) * (double(x[i]) - mean[i % columns]) / n;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = i % columns;
    // The variance may be taken as the mean of squares less the square of the mean: its error is that of the two, which are larger.
    const double mean_error = gamma_n(n + 1) * magnitude[k];
    const double variance_error = gamma_n(n + 4) * (square[k] + mean[k] * mean[k]) + 2 * std::fabs(mean[k]) * mean_error;
    const double deviation = std::sqrt(variance[k] + eps);
    const double distance = double(x[i]) - mean[k], w = double(scales[k]), b = double(shifts[k]), scaled = w * distance / deviation;
    y[i] = scaled + b;
    // rsqrtf is off by two units in the last place; the rest is correctly rounded. Scale and shift may be joined beforehand: x
    // * s + (b - mean * s).
    bound[i] = std::fabs(w) / deviation * (mean_error + std::fabs(distance) * variance_error / (variance[k] + eps)) +
               gamma_n(10) * (std::fabs(scaled) + std::fabs(b)) +
               gamma_n(8) * std::fabs(w) / deviation * (std::fabs(mean[k]) + std::fabs(double(x[i])));
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
