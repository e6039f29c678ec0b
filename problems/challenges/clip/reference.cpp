// output = input between lo and hi
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  c.fill("input", [&] { return c.random().uniform(-100, 100); });
  // Some outside on either side, as seen by the kernel: rounded to single precision.
  double lo = c.random().uniform(-60, -20), hi = c.random().uniform(10, 50);
  if (c.data() == "equal") hi = lo;
  if (c.data() == "wide") lo = -101.5, hi = 100.25;
  c.set_scalar("lo", float(lo));
  c.set_scalar("hi", float(hi));
}

void expect(Case& c) {
  auto x = c.input("input").as<float>();
  auto out = c.expected("output");
  const double lo = c.scalar("lo"), hi = c.scalar("hi");
  for (size_t i = 0; i < out.size(); ++i) out[i] = std::min(std::max(double(x[i]), lo), hi);
}

WARPWISE_PROBLEM(make_inputs, expect)
