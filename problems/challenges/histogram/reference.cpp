// histogram[b] = how many i have input[i] == b
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const int64_t last = c.size("num_bins") - 1, favourite = r.integer(0, last);
  const bool one_bin = c.data() == "one bin";
  // Small numbers are commoner than large ones, so that no two bins are alike; the last bin is never empty.
  c.fill("input", [&] {
    return double(one_bin && r.chance(0.9) ? favourite : std::max(r.integer(0, last) - r.integer(0, last) / 2, int64_t{0}));
  });
  Values input = c.make("input");
  input.set(size_t(r.integer(0, int64_t(input.size()) - 1)), double(last));
}

void expect(Case& c) {
  auto counts = c.expected("histogram");
  for (int bin : c.input("input").as<int32_t>()) counts[size_t(bin)] += 1;
}

WARPWISE_PROBLEM(make_inputs, expect)
