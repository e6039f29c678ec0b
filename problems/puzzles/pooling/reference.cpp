// out[i] = a[i - 2] + a[i - 1] + a[i]
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("a", [&] { return c.random().uniform(-40, 100); });
}

void expect(Case& c) {
  auto a = c.input("a");
  auto out = c.expected("out");
  auto bound = c.bound("out");
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0, magnitude = 0;
    for (size_t k = i < 2 ? 0 : i - 2; k <= i; ++k) sum += a[k], magnitude += std::fabs(a[k]);
    out[i] = sum;
    bound[i] = gamma_n(2) * magnitude;  // two additions (terms of zero change nothing)
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
