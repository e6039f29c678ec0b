// y = A x
#include <warpwise/problem.h>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Random& r = c.random();
  const bool exact = c.data() == "exact";
  const size_t rows = size_t(c.size("M")), columns = size_t(c.size("N"));
  // All sums of products stay below 2^24.
  const int64_t most = int64_t(std::sqrt(double(1 << 24) / double(columns)));
  auto value = [&] { return exact ? double(r.integer(1, most) * (r.chance(0.4) ? -1 : 1)) : r.uniform(0.5, 3) * (r.chance(0.4) ? -1 : 1); };
  c.fill("x", value);
  // Exactly nnz elements are not zero; of "empty rows" they are all in the first half of the rows.
  Values a = c.make("A");
  for (size_t i = 0; i < a.size(); ++i) a.set(i, 0);
  const std::vector<size_t> order = r.permutation(c.data() == "empty rows" ? (rows + 1) / 2 * columns : rows * columns);
  for (size_t i = 0; i < size_t(c.size("nnz")); ++i) a.set(order.at(i), value());
}

void expect(Case& c) {
  auto a = c.input("A").as<float>(), x = c.input("x").as<float>();
  auto y = c.expected("y"), bound = c.bound("y");
  const size_t columns = x.size();
  for (size_t row = 0; row < y.size(); ++row) {
    double magnitudes = 0, count = 0;
    for (size_t k = 0; k < columns; ++k) {
      const double product = double(a[row * columns + k]) * double(x[k]);
      y[row] += product, magnitudes += std::fabs(product), count += product != 0;
    }
    bound[row] = c.data() == "exact" ? 0 : gamma_n(count + 1) * magnitudes;
  }
}

WARPWISE_PROBLEM(make_inputs, expect)
