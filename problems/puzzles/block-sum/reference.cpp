// out[b] = the sum of block b's elements
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
  const size_t block = size_t(c.size("block_x"));
  for (size_t b = 0; b < out.size(); ++b) {
    double sum = 0, magnitude = 0;
    for (size_t i = b * block; i < std::min(a.size(), (b + 1) * block); ++i) sum += a[i], magnitude += std::fabs(a[i]);
    out[b] = sum;
    bound[b] = gamma_n(double(block) - 1) * magnitude;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
