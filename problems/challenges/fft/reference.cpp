// spectrum[k] = the sum over n of signal[n] * exp(-2 pi i k n / N)
#include <warpwise/problem.h>

#include <complex>

using namespace warpwise::problem;

using Complex = std::complex<double>;
constexpr double kPi = 3.14159265358979323846;

void make_inputs(Case& c) {
  c.fill("signal", [&] { return c.random().uniform(-1, 1.5); });
}

// Powers of two by halves (Cooley and Tukey, 1965); everything else by the sum. `roots` are those of unity, of the whole length.
std::vector<Complex> transform(const std::vector<Complex>& x, const std::vector<Complex>& roots) {
  const size_t n = x.size(), stride = roots.size() / n;
  std::vector<Complex> out(n);
  if (n == 1) return x;
  if (n % 2) {
    for (size_t k = 0; k < n; ++k)
      for (size_t i = 0; i < n; ++i) out[k] += x[i] * roots[k * i % n * stride];
    return out;
  }
  std::vector<Complex> even(n / 2), odd(n / 2);
  for (size_t i = 0; i < n / 2; ++i) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
  even = transform(even, roots), odd = transform(odd, roots);
  for (size_t k = 0; k < n / 2; ++k) {
    const Complex turned = roots[k * stride] * odd[k];
    out[k] = even[k] + turned, out[k + n / 2] = even[k] - turned;
  }
  return out;
}

void expect(Case& c) {
  auto in = c.input("signal").as<float>();
  const size_t n = in.size() / 2;
  std::vector<Complex> x(n), roots(n);
  double magnitudes = 0, weighted = 0;
  for (size_t i = 0; i < n; ++i) {
    x[i] = {double(in[2 * i]), double(in[2 * i + 1])};
    roots[i] = std::polar(1.0, -2 * kPi * double(i) / double(n));
    magnitudes += std::abs(x[i]), weighted += std::abs(x[i]) * double(i);
  }
  const std::vector<Complex> y = transform(x, roots);
  auto out = c.expected("spectrum"), bound = c.bound("spectrum");
  for (size_t k = 0; k < n; ++k) {
    out[2 * k] = y[k].real(), out[2 * k + 1] = y[k].imag();
    // N terms, each with a factor that is right to a few units in the last place, added in any order. Who sums directly may
    // have rounded the angle 2 pi k n / N itself three times (pi, product, quotient), and factors found by repeated
    // multiplication drift by a unit per step: both are granted.
    const double angles = 2 * kPi * double(k) / double(n) * weighted;
    bound[2 * k] = bound[2 * k + 1] = gamma_n(double(n) + 8) * magnitudes + 4 * kFloatRoundoff * angles;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
