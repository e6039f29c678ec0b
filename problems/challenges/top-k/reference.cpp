// output = the k largest inputs, descending
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const std::string_view data = c.data();
  if (c.size("k") > c.size("N")) fail("k is larger than N");
  c.fill("input", [&] {
    if (data == "all negative") return -std::exp(r.uniform(0, 69));
    if (data == "few values") return double(r.integer(-1, 1)) + 0.1;
    return r.chance(0.05) ? r.uniform(-1e30, 1e30) : r.uniform(-100, 100);  // no padding is small enough but -infinity
  });
  auto x = c.make("input").as<float>();
  if (data == "sorted") std::sort(x.begin(), x.end());
}

void expect(Case& c) {
  auto x = c.input("input").as<float>();
  std::vector<float> sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<float>());
  auto out = c.expected("output");
  for (size_t i = 0; i < out.size(); ++i) out[i] = double(sorted[i]);
}

WARPWISE_PROBLEM(make_inputs, expect)
