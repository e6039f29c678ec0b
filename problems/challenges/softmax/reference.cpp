// output[i] = exp(input[i] - m) / (the sum of exp(input[j] - m)), m the maximum
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const std::string_view data = c.data();
  // exp overflows above 88.7: "large values" must be shifted before they are raised. "all negative": a maximum that begins at 0 is wrong.
  const double shift = data == "large values" ? 200 : data == "all negative" ? -100 : 0;
  c.fill("input", [&] { return shift + r.uniform(-5, 3); });
  if (data == "large values") {  // a maximum that misses this one leaves exp(300)
    Values x = c.make("input");
    x.set(size_t(r.integer(int64_t(x.size()) / 2, int64_t(x.size()) - 1)), shift + r.uniform(300, 310));
  }
  if (data == "one peak") {
    Values x = c.make("input");
    x.set(size_t(r.integer(int64_t(x.size()) / 2, int64_t(x.size()) - 1)), r.uniform(9, 10));
  }
}

// The relative error of exp(d), d <= 0 the difference of two rounded numbers: the subtraction rounds (|d| u), and the fastest function that
// CUDA has, __expf, is off by 2 + 1.173 |d| units in the last place (CUDA C++ Programming Guide, "Intrinsic Functions").
double exp_error(double d) { return (4 + 3.4 * std::fabs(d)) * kFloatRoundoff; }

void expect(Case& c) {
  auto x = c.input("input").as<float>();
  auto y = c.expected("output"), bound = c.bound("output");
  const double most = *std::max_element(x.begin(), x.end()), least = *std::min_element(x.begin(), x.end());
  double sum = 0, sum_error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = std::exp(double(x[i]) - most);
    sum += y[i], sum_error += y[i] * exp_error(double(x[i]) - most);
  }
  // All terms are positive: N additions, the division, and, where a running maximum is kept, products that rescale; 100 of them are
  // plenty for numbers in random order, and together they rescale by no more than exp(most - least).
  const double common = sum_error / sum + gamma_n(double(x.size()) + 100) + exp_error(most - least);
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] /= sum;
    bound[i] = y[i] * (exp_error(double(x[i]) - most) + common);
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
