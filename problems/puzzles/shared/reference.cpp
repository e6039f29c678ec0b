// out[i] = a[i] + 10
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("a", [&] { return c.random().uniform(-100, 100); });
}

void expect(Case& c) {
  auto a = c.input("a").as<float>();
  auto out = c.expected("out");
  for (size_t i = 0; i < out.size(); ++i) out[i] = double(a[i]) + 10;
}

WARPWISE_PROBLEM(make_inputs, expect)
