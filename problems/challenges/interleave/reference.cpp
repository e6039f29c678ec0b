// output = A[0], B[0], A[1], B[1], …
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  for (const char* name : {"A", "B"}) c.fill(name, [&] { return c.random().uniform(-1000, 1000); });
}

void expect(Case& c) {
  auto a = c.input("A").as<float>(), b = c.input("B").as<float>();
  auto out = c.expected("output");
  for (size_t i = 0; i < a.size(); ++i) out[2 * i] = a[i], out[2 * i + 1] = b[i];
}

WARPWISE_PROBLEM(make_inputs, expect)
