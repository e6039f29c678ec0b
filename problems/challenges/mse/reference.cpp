// mse[0] = the mean of (predictions[i] - targets[i])^2
#include <warpwise/problem.h>

using namespace warpwise::problem;

// "exact": whole numbers whose squared differences add up to less than 2^24, so that no addition rounds.
void make_inputs(Case& c) {
  const bool exact = c.data() == "exact";
  const int64_t most = exact ? int64_t(std::sqrt(double(1 << 24) / double(c.size("N")))) / 2 : 0;
  c.fill("predictions", [&] { return exact ? double(c.random().integer(-most, most) + 100) : c.random().uniform(-3, 3); });
  c.fill("targets", [&] { return exact ? double(c.random().integer(-most, most) + 100) : c.random().uniform(-2, 4); });
}

void expect(Case& c) {
  auto p = c.input("predictions").as<float>(), t = c.input("targets").as<float>();
  double sum = 0;
  for (size_t i = 0; i < p.size(); ++i) sum += (double(p[i]) - double(t[i])) * (double(p[i]) - double(t[i]));
  const double n = double(p.size()), mean = sum / n;
  c.expected("mse")[0] = mean;
  c.bound("mse")[0] = c.data() == "exact" ? 0 : gamma_n(n + 5) * mean;
}

WARPWISE_PROBLEM(make_inputs, expect)
