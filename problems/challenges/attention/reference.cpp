// output = softmax(Q K^T / sqrt(d)) V, row by row
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  if (c.data() == "large scores") {
    // Of three queries, one has large scores of both signs, one positive ones only, one negative ones only: a maximum that
    // begins at 0 or -1000 is wrong there.
    const size_t columns = c.make("Q").size() / size_t(c.size("M"));
    size_t i = 0;
    c.fill("Q", [&] {
      const size_t kind = i++ / columns % 3;
      return kind == 0 ? r.uniform(-30, 45) : (kind == 1 ? 1 : -1) * r.uniform(30, 60);
    });
    c.fill("K", [&] { return r.uniform(30, 60); });
  } else {
    for (const char* name : {"Q", "K"}) c.fill(name, [&] { return 1.5 * r.uniform(-1, 1.5); });
  }
  c.fill("V", [&] { return r.uniform(-1, 2); });
}

// The relative error of exp(x), x <= 0 the difference of two rounded numbers: the subtraction rounds (|x| u), and the fastest function that
// CUDA has, __expf, is off by 2 + 1.173 |x| units in the last place (CUDA C++ Programming Guide, "Intrinsic Functions").
double exp_error(double x) { return (4 + 3.4 * std::fabs(x)) * kFloatRoundoff; }

// One query against the first `keys` keys. Rows of K and V are `stride` apart.
void attend(const float* q, const float* k, const float* v, size_t keys, size_t d, size_t stride, double* out, double* bound) {
  std::vector<double> weight(keys), error(keys);
  double most = -INFINITY, least = INFINITY, sum = 0, sum_error = 0;
  for (size_t j = 0; j < keys; ++j) {
    double score = 0, magnitude = 0;
    for (size_t e = 0; e < d; ++e) {
      const double product = double(q[e]) * double(k[j * stride + e]);
      score += product, magnitude += std::fabs(product);
    }
    weight[j] = score / std::sqrt(double(d));
    error[j] = gamma_n(double(d) + 8) * magnitude / std::sqrt(double(d));  // of the score: d products, a root, a quotient
    most = std::max(most, weight[j]), least = std::min(least, weight[j]);
  }
  for (size_t j = 0; j < keys; ++j) {
    error[j] += exp_error(weight[j] - most);
    weight[j] = std::exp(weight[j] - most);
    sum += weight[j], sum_error += weight[j] * error[j];
  }
  // Sums of weights and of weighted values, the quotient, and the products that rescale where a running maximum is kept: 100 of
  // them are plenty for scores in random order, and together they rescale by no more than exp(most - least).
  const double common = sum_error / sum + gamma_n(2 * double(keys) + 200) + exp_error(most - least);
  for (size_t e = 0; e < d; ++e) {
    double value = 0, off = 0;
    for (size_t j = 0; j < keys; ++j) {
      const double part = weight[j] / sum * double(v[j * stride + e]);
      value += part, off += std::fabs(part) * (error[j] + common);
    }
    out[e] = value, bound[e] = off;
  }
}

void expect(Case& c) {
  const size_t queries = size_t(c.size("M")), keys = size_t(c.size("N")), d = size_t(c.size("d"));
  auto q = c.input("Q").as<float>(), k = c.input("K").as<float>(), v = c.input("V").as<float>();
  auto out = c.expected("output"), bound = c.bound("output");
  for (size_t i = 0; i < queries; ++i) attend(&q[i * d], k.data(), v.data(), keys, d, d, &out[i * d], &bound[i * d]);
}

WARPWISE_PROBLEM(make_inputs, expect)
