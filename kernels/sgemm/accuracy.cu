// How far a step is from the exact product, as a share of what it adds up: |c - a · b| / (|a| · |b|), element by
// element, in units of 2^-24, which is what one rounding of a float costs at most.
//
//     warpwise run --on=gpu -O3 -arch=sm_90a '-DSTEP="11_added_apart.cu"' accuracy.cu 4096 4096 4096
//     warpwise run -O3 -arch=sm_90a '-DSTEP="06_wide.cu"' accuracy.cu 64 64 320 20
//
// The arguments are m, n and k, and the largest such error that is allowed; without it, none is. Each line is about
// other numbers:
//
//     normal      mean 0, deviation 1: sums that cancel
//     positive    between 0 and 1: sums that grow, and what always rounds downwards shows
//     scaled      normal, each row of a and each column of b times a power of two from 2^-40 to 2^40
//     mixed       normal, each element times a power of two from 2^-16 to 1
#ifndef STEP
#error say which step: -DSTEP="\"06_wide.cu\""
#endif
#include STEP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "../parts/launch.h"
#include "../parts/reference_product.h"

namespace accuracy {

using Numbers = std::vector<float>;
enum class Kind { Normal, Positive, Scaled, Mixed };
constexpr struct {
  Kind kind;
  const char* name;
} kKinds[] = {{Kind::Normal, "normal"}, {Kind::Positive, "positive"}, {Kind::Scaled, "scaled"}, {Kind::Mixed, "mixed"}};

// `scaled_by`: which of the two indices decides the scale.
Numbers make(Kind kind, int rows, int columns, bool scaled_by_rows, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> positive(0.0f, 1.0f);
  std::uniform_int_distribution<int> scale(-40, 40), small(-16, 0);
  std::vector<int> scales(size_t(scaled_by_rows ? rows : columns));
  for (int& one : scales) one = scale(random);
  Numbers out(size_t(rows) * columns);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      float& x = out[size_t(r) * columns + c];
      x = kind == Kind::Positive ? positive(random) : normal(random);
      if (kind == Kind::Scaled) x = std::ldexp(x, scales[size_t(scaled_by_rows ? r : c)]);
      if (kind == Kind::Mixed) x = std::ldexp(x, small(random));
    }
  return out;
}

struct Store {
  double* to;
  int n;
  __device__ void operator()(int row, int column, double sum) const { to[size_t(row) * n + column] = sum; }
};

template <class T>
T* on_device(const std::vector<T>& host) {
  T* out = nullptr;
  must(cudaMalloc(&out, host.size() * sizeof(T)), "memory");
  must(cudaMemcpy(out, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
  return out;
}

std::vector<double> exact(const float* a, const float* b, int m, int n, int k) {
  using namespace reference_parts;
  std::vector<double> out(size_t(m) * n);
  double* c = on_device(out);
  product_in_double<Stored::ByRows><<<blocks_of_product(m, n), kProductThreads>>>(a, b, m, n, k, Store{c, n});
  must(cudaMemcpy(out.data(), c, out.size() * sizeof(double), cudaMemcpyDeviceToHost), "the exact product");
  must(cudaFree(c), "memory");
  return out;
}

struct Errors {
  double largest = 0, squares = 0;
  size_t count = 0;

  void add(double got, double wanted, double magnitude) {
    double error = std::fabs(got - wanted) / magnitude * 0x1p24;
    if (!(error <= 1e30)) error = 1e30;  // a NaN, too
    largest = std::fmax(largest, error), squares += error * error, ++count;
  }
  double root_mean_square() const { return std::sqrt(squares / double(count)); }
};

Errors measure(Kind kind, int m, int n, int k) {
  Numbers host_a = make(kind, m, k, true, 1), host_b = make(kind, k, n, false, 2), got(size_t(m) * n, NAN);
  float *a = on_device(host_a), *b = on_device(host_b), *c = on_device(got);
  solve(a, b, c, m, n, k);
  must(cudaMemcpy(got.data(), c, got.size() * sizeof(float), cudaMemcpyDeviceToHost), "the step");
  const std::vector<double> wanted = exact(a, b, m, n, k);
  must(cudaFree(a), "memory"), must(cudaFree(b), "memory"), must(cudaFree(c), "memory");
  for (float& x : host_a) x = std::fabs(x);
  for (float& x : host_b) x = std::fabs(x);
  a = on_device(host_a), b = on_device(host_b);
  const std::vector<double> magnitude = exact(a, b, m, n, k);
  must(cudaFree(a), "memory"), must(cudaFree(b), "memory");
  Errors errors;
  for (size_t i = 0; i < got.size(); ++i) errors.add(got[i], wanted[i], magnitude[i]);
  return errors;
}

}  // namespace accuracy

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "m, n, k, and the largest error that is allowed\n");
    return 2;
  }
  const int m = std::atoi(words[1]), n = std::atoi(words[2]), k = std::atoi(words[3]);
  const double allowed = count > 4 ? std::atof(words[4]) : HUGE_VAL;
  bool good = true;
  for (const auto& [kind, name] : accuracy::kKinds) {
    const accuracy::Errors errors = accuracy::measure(kind, m, n, k);
    std::printf("%-9s %8.3f largest, %8.4f root mean square\n", name, errors.largest, errors.root_mean_square());
    good = good && errors.largest <= allowed;
  }
  if (!good) std::printf("more than %g\n", allowed);
  return good ? 0 : 1;
}
