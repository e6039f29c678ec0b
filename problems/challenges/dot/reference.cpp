// result[0] = the sum of A[i] * B[i]
#include <warpwise/problem.h>

using namespace warpwise::problem;

// "exact": small whole numbers. |sum| stays below 2^24, whichever products are added first, so that no addition rounds.
void make_inputs(Case& c) {
  const bool exact = c.data() == "exact";
  const int64_t most = exact ? int64_t(std::sqrt(double(1 << 24) / double(c.size("N")))) : 0;
  for (const char* name : {"A", "B"})
    c.fill(name, [&] { return exact ? double(c.random().integer(-most / 2, most)) : c.random().uniform(-1, 3); });
}

void expect(Case& c) {
  auto a = c.input("A").as<float>(), b = c.input("B").as<float>();
  double sum = 0, magnitudes = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double product = double(a[i]) * double(b[i]);
    sum += product, magnitudes += std::fabs(product);
  }
  c.expected("result")[0] = sum;
  c.bound("result")[0] = c.data() == "exact" ? 0 : gamma_n(double(a.size()) + 1) * magnitudes;
}

WARPWISE_PROBLEM(make_inputs, expect)
