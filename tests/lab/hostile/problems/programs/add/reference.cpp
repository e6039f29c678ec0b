// C = A + B
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  for (const char* name : {"A", "B"}) c.fill(name, [&] { return c.random().uniform(-1000, 1000); });
}

void expect(Case& c) {
  auto a = c.input("A").as<float>(), b = c.input("B").as<float>();
  auto sum = c.expected("C");
  for (size_t i = 0; i < sum.size(); ++i) sum[i] = double(a[i]) + double(b[i]);
}

WARPWISE_PROBLEM(make_inputs, expect)
