// output[0] = the sum of input
#include <warpwise/problem.h>

using namespace warpwise::problem;

// "exact": small whole numbers. |sum| stays below 2^24, whichever of them are added first, so that no addition rounds.
void make_inputs(Case& c) {
  const bool exact = c.data() == "exact";
  const int64_t most = exact ? std::min<int64_t>(600, (1 << 24) / c.size("N")) : 0;
  c.fill("input", [&] { return exact ? double(c.random().integer(-most / 2, most)) : c.random().uniform(-1, 3); });
}

void expect(Case& c) {
  double sum = 0, magnitudes = 0;
  for (float x : c.input("input").as<float>()) sum += double(x), magnitudes += std::fabs(double(x));
  c.expected("output")[0] = sum;
  c.bound("output")[0] = c.data() == "exact" ? 0 : gamma_n(double(c.size("N"))) * magnitudes;
}

WARPWISE_PROBLEM(make_inputs, expect)
