// output = max(input, 0)
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  const double high = c.data() == "negative" ? -0.001 : 100;
  c.fill("input", [&] { return c.random().uniform(-100, high); });
}

void expect(Case& c) {
  auto x = c.input("input").as<float>();
  auto out = c.expected("output");
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::max(double(x[i]), 0.0);
}

WARPWISE_PROBLEM(make_inputs, expect)
