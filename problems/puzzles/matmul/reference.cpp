// out = a · b
#include <warpwise/problem.h>

using namespace warpwise::problem;

// Mostly positive, so that sums are not lost in their terms: answers in half precision are then clearly wrong.
void make_inputs(Case& c) {
  for (const char* name : {"a", "b"}) c.fill(name, [&] { return c.random().uniform(-1, 3); });
}

void expect(Case& c) {
  auto a = c.input("a").as<float>(), b = c.input("b").as<float>();
  auto out = c.expected("out");
  auto bound = c.bound("out");
  const size_t n = size_t(c.size("n"));
  for (size_t row = 0; row < n; ++row) {
    for (size_t k = 0; k < n; ++k)
      for (size_t col = 0; col < n; ++col) {
        const double product = double(a[row * n + k]) * b[k * n + col];
        out[row * n + col] += product;
        bound[row * n + col] += std::fabs(product);
      }
    for (size_t col = 0; col < n; ++col) bound[row * n + col] *= gamma_n(double(n));
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
