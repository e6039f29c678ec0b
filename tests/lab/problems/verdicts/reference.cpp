// out[b] = sum of the 64 elements of block b
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("a", [&] { return c.random().uniform(1, 2); });
}

void expect(Case& c) {
  auto a = c.input("a");
  auto out = c.expected("out"), bound = c.bound("out");
  for (size_t i = 0; i < a.size(); ++i) out[i / 64] += a[i], bound[i / 64] += gamma_n(64) * a[i];
}

WARPWISE_PROBLEM(make_inputs, expect)
