// input, from its end to its beginning
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(-1000, 1000); });
}

void expect(Case& c) {
  auto before = c.input("input").as<float>();
  auto after = c.expected("input");
  for (size_t i = 0; i < after.size(); ++i) after[i] = before[before.size() - 1 - i];
}

WARPWISE_PROBLEM(make_inputs, expect)
