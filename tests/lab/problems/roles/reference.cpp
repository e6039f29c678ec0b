// sums[r] = scale * sum of row r; counts[2r] = elements above 0.5 in row r, counts[2r + 1] stays 0; bytes inverted;
// halves[c] = a[0][c]; index[r] = a place of the row's largest element (any, where there are several)
#include <warpwise/problem.h>

#include <algorithm>

using namespace warpwise::problem;

void make_inputs(Case& c) {
  Values a = c.make("a");
  const bool ties = c.data() == "ties";
  for (size_t i = 0; i < a.size(); ++i)
    a.set(i, ties ? double(c.random().integer(0, 3)) / 3 : c.random().uniform(0, 1));
  c.fill("bytes", [&] { return double(c.random().integer(0, 255)); });
  c.fill("scratch", [&] { return 1.0; });
}

void expect(Case& c) {
  auto a = c.input("a");
  auto sums = c.expected("sums"), counts = c.expected("counts"), bytes = c.expected("bytes"),
       halves = c.expected("halves"), index = c.expected("index"), bound = c.bound("sums");
  const size_t rows = size_t(c.size("rows")), cols = size_t(c.size("cols"));
  for (size_t r = 0; r < rows; ++r) {
    size_t best = 0;
    for (size_t k = 0; k < cols; ++k) {
      const double x = a[r * cols + k];
      sums[r] += c.scalar("scale") * x;
      bound[r] += std::fabs(c.scalar("scale") * x) * gamma_n(double(cols) + 1);
      counts[2 * r] += x > 0.5;
      if (x > a[r * cols + best]) best = k;
    }
    index[r] = double(best);
  }
  for (size_t k = 0; k < cols; ++k) bytes[k] = 255 - c.input("bytes")[k], halves[k] = a[k];
}

void check(Case& c) {
  auto a = c.input("a");
  auto index = c.got("index");
  const size_t cols = size_t(c.size("cols"));
  for (size_t r = 0; r < index.size(); ++r) {
    const double k = index[r];
    const size_t best = size_t(c.expected("index")[r]);
    if (!(k >= 0 && k < double(cols))) return c.refuse("index", r, double(best), "there is no such column");
    if (a[r * cols + size_t(k)] != a[r * cols + best])
      return c.refuse("index", r, double(best), "a larger element is in this row");
  }
}

WARPWISE_PROBLEM_WITH_CHECKER(make_inputs, expect, check)
