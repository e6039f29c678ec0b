// output[i] = input[0] + ... + input[i]
#include <warpwise/problem.h>

using namespace warpwise::problem;

// "exact": every sum of any of them stays below 2^24.
void make_inputs(Case& c) {
  const bool exact = c.data() == "exact";
  const int64_t most = exact ? std::min<int64_t>(600, (1 << 24) / c.size("N")) : 0;
  c.fill("input", [&] { return exact ? double(c.random().integer(-most / 2, most)) : c.random().uniform(-1, 2); });
}

void expect(Case& c) {
  auto x = c.input("input").as<float>();
  auto sums = c.expected("output"), bound = c.bound("output");
  double sum = 0, magnitudes = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    sums[i] = sum += double(x[i]);
    magnitudes += std::fabs(double(x[i]));
    bound[i] = c.data() == "exact" ? 0 : gamma_n(2 * double(i + 1)) * magnitudes;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
