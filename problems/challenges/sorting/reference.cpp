// data, ascending
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  c.fill("data", [&] {
    if (c.data() == "few values") return double(r.integer(-5, 5)) + 0.3;
    return r.chance(0.05) ? r.uniform(-1e30, 1e30) : r.uniform(-1000, 1000);  // no padding is large enough but infinity
  });
  auto x = c.make("data").as<float>();
  if (c.data() == "descending") std::sort(x.begin(), x.end(), std::greater<float>());
}

void expect(Case& c) {
  auto x = c.input("data").as<float>();
  std::vector<float> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end());
  auto out = c.expected("data");
  for (size_t i = 0; i < out.size(); ++i) out[i] = double(sorted[i]);
}

WARPWISE_PROBLEM(make_inputs, expect)
