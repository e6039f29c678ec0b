// output = SiLU(first half) times second half
#include <warpwise/problem.h>

using namespace warpwise::problem;

// How far x · σ(x) may be off. __expf is off by at most 2 + 1.173 |x| units in the last place (CUDA programming guide, intrinsic
// functions), of which e^-x / (1 + e^-x) reaches the result; the sum, the division (2 units for __fdividef) and the product add a few. The
// form with tanh(x / 2) subtracts numbers near x / 2, whose last places count: 2^-22 |x| for tanhf (2 units at most), product and sum.
double silu_bound(double x) {
  const double sigmoid = 1 / (1 + std::exp(-x));
  const double exponential = (2 + 1.173 * std::fabs(x)) * 0x1p-23 * (1 - sigmoid);
  return std::fabs(x) * (sigmoid * (exponential + 6 * 0x1p-23) + 0x1p-22);
}

void make_inputs(Case& c) {
  const double most = c.data() == "large" ? 100 : 8;
  c.fill("input", [&] { return c.random().uniform(-most, most); });
}

void expect(Case& c) {
  auto in = c.input("input").as<float>();
  auto out = c.expected("output");
  auto bound = c.bound("output");
  for (size_t i = 0; i < out.size(); ++i) {
    const double x = in[i], gate = in[out.size() + i];
    out[i] = x / (1 + std::exp(-x)) * gate;
    bound[i] = silu_bound(x) * std::fabs(gate) + gamma_n(1) * std::fabs(out[i]);
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
