// 0.299 R + 0.587 G + 0.114 B
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(0, 255); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>();
  auto out = c.expected("output");
  for (size_t i = 0; i < out.size(); ++i) out[i] = 0.299 * in[3 * i] + 0.587 * in[3 * i + 1] + 0.114 * in[3 * i + 2];
}

WARPWISE_PROBLEM(make_inputs, expect)
