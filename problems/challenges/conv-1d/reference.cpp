// output[i] = sum of input[i + k] * kernel[k]
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  // Mostly positive, so that sums are not lost in their terms: answers in half precision are then clearly wrong.
  for (const char* name : {"input", "kernel"}) c.fill(name, [&] { return c.random().uniform(-1, 3); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>(), taps = c.input("kernel").as<float>();
  auto out = c.expected("output");
  auto bound = c.bound("output");
  for (size_t i = 0; i < out.size(); ++i) {
    double sum = 0, magnitude = 0;
    for (size_t k = 0; k < taps.size(); ++k) {
      const double product = double(in[i + k]) * taps[k];
      sum += product, magnitude += std::fabs(product);
    }
    out[i] = sum;
    bound[i] = gamma_n(double(taps.size())) * magnitude;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
