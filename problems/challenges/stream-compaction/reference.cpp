// out = the positive numbers of A in their order, then zeros
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const double share = c.data() == "all" ? 1 : c.data() == "none" ? 0 : c.data() == "few" ? 0.05 : 0.6;
  // Zeros are not positive.
  c.fill("A", [&] { return r.chance(share) ? r.uniform(0.1, 100) : r.chance(0.1) ? 0.0 : r.uniform(-100, -0.1); });
}

void expect(Case& c) {
  auto out = c.expected("out");
  size_t kept = 0;
  for (float x : c.input("A").as<float>())
    if (x > 0) out[kept++] = double(x);
}

WARPWISE_PROBLEM(make_inputs, expect)
