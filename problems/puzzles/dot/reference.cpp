// out[0] = sum of a[i] * b[i]
#include <warpwise/problem.h>

using namespace warpwise::problem;

// Mostly positive, so that the sum is not lost in its terms: an answer in half precision is then clearly wrong.
void make_inputs(Case& c) {
  for (const char* name : {"a", "b"}) c.fill(name, [&] { return c.random().uniform(-1, 3); });
}

void expect(Case& c) {
  auto a = c.input("a"), b = c.input("b");
  double sum = 0, magnitude = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i], magnitude += std::fabs(a[i] * b[i]);
  c.expected("out")[0] = sum;
  c.bound("out")[0] = gamma_n(double(a.size())) * magnitude;  // a product's rounding, and at most n - 1 additions on its way
}

WARPWISE_PROBLEM(make_inputs, expect)
