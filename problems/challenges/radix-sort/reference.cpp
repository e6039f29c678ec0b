// input, ascending
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const int64_t last = c.data() == "large" ? 0xffffffff : c.data() == "few values" ? 9 : 100000;
  c.fill("input", [&] { return double(r.integer(0, last)); });
  // The sign bit of an int is a digit like any other here.
  Values x = c.make("input");
  if (c.data() == "large") x.set(size_t(r.integer(0, int64_t(x.size()) - 1)), 4294967295.0);
}

void expect(Case& c) {
  auto x = c.input("input").as<uint32_t>();
  std::vector<uint32_t> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  auto out = c.expected("output");
  for (size_t i = 0; i < out.size(); ++i) out[i] = double(sorted[i]);
}

WARPWISE_PROBLEM(make_inputs, expect)
