// out[r] = the sum of row r
#include <warpwise/problem.h>

using namespace warpwise::problem;

// Mostly positive, so that a sum is not lost in its terms: an answer in half precision is then clearly wrong.
void make_inputs(Case& c) {
  c.fill("a", [&] { return c.random().uniform(-20, 100); });
}

void expect(Case& c) {
  auto a = c.input("a").as<float>();
  auto out = c.expected("out");
  auto bound = c.bound("out");
  const size_t cols = size_t(c.size("cols"));
  for (size_t r = 0; r < out.size(); ++r) {
    double sum = 0, magnitude = 0;
    for (size_t k = r * cols; k < (r + 1) * cols; ++k) sum += a[k], magnitude += std::fabs(a[k]);
    out[r] = sum;
    bound[r] = gamma_n(double(cols) - 1) * magnitude;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
