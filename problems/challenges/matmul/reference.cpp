// C[i][k] = the sum over j of A[i][j] * B[j][k]
#include <warpwise/problem.h>

using namespace warpwise::problem;

// "exact": sums of products stay below 2^24, in any order.
void make_inputs(Case& c) {
  const bool exact = c.data() == "exact";
  const int64_t most = exact ? int64_t(std::sqrt(double(1 << 24) / double(c.size("N")))) : 0;
  for (const char* name : {"A", "B"})
    c.fill(name, [&] { return exact ? double(c.random().integer(-most / 2, most)) : c.random().uniform(-1, 2); });
}

void expect(Case& c) {
  auto a = c.input("A").as<float>(), b = c.input("B").as<float>();
  auto product = c.expected("C"), bound = c.bound("C");
  const size_t rows = size_t(c.size("M")), inner = size_t(c.size("N")), columns = size_t(c.size("K"));
  const bool exact = c.data() == "exact";
  const double error = gamma_n(double(inner) + 1);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < inner; ++j) {
      const double x = a[i * inner + j], weight = std::fabs(x) * error;
      const float* row = &b[j * columns];
      double* out = &product[i * columns];
      for (size_t k = 0; k < columns; ++k) out[k] += x * double(row[k]);
      if (!exact)
        for (size_t k = 0; k < columns; ++k) bound[i * columns + k] += weight * std::fabs(double(row[k]));
    }
}

WARPWISE_PROBLEM(make_inputs, expect)
