// out[i] = sum of a[i + k] * b[k] for k < taps
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("a", [&] { return c.random().uniform(-10, 30); });
  // No tap is near zero or like another, so that none can be left out or confused.
  double tap = 0.5;
  c.fill("b", [&] { return tap += c.random().uniform(0.25, 1); });
}

void expect(Case& c) {
  auto a = c.input("a").as<float>(), b = c.input("b").as<float>();
  auto out = c.expected("out");
  auto bound = c.bound("out");
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0, magnitude = 0;
    for (size_t k = 0; k < b.size() && i + k < a.size(); ++k) sum += double(a[i + k]) * b[k], magnitude += std::fabs(double(a[i + k]) * b[k]);
    out[i] = sum;
    bound[i] = gamma_n(double(b.size())) * magnitude;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
