// out[i] = a[i] + b[i]
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  for (const char* name : {"a", "b"}) c.fill(name, [&] { return c.random().uniform(-100, 100); });
}

void expect(Case& c) {
  auto a = c.input("a"), b = c.input("b");
  auto out = c.expected("out");
  for (size_t i = 0; i < out.size(); ++i) out[i] = a[i] + b[i];
}

WARPWISE_PROBLEM(make_inputs, expect)
