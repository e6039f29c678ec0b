// Shared by the steps of this ladder: the problem, its check and its timing.
//
//     C = alpha · A · B + beta · C      all n×n, row-major, single precision
//
// A step defines sgemm(), which launches its kernel, and kMultiple, of which n must be a multiple. main() fills the matrices
// with small numbers, calls sgemm(), checks the product and prints the time.
//
// The check is Freivalds': for a random vector x of ones and minus ones, C·x must be alpha · A·(B·x) + beta · C₀·x. It
// takes n² steps instead of n³, in double precision, and a wrong element escapes one vector with probability 1/2: ten are tried.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

struct Problem {
  const float* a;
  const float* b;
  float* c;
  int n;
  float alpha, beta;
};

extern const int kMultiple;
void sgemm(const Problem& p);

#define CUDA_CHECK(call)                                                                 \
  do {                                                                                   \
    cudaError_t error_ = (call);                                                         \
    if (error_ != cudaSuccess) {                                                         \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (0)

namespace sgemm_ladder {

using Vector = std::vector<double>;

inline Vector times(const std::vector<float>& m, const Vector& x) {
  size_t n = x.size();
  Vector y(n);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) y[i] += double(m[i * n + j]) * x[j];
  return y;
}

inline bool product_is_right(const std::vector<float>& a, const std::vector<float>& b, const std::vector<float>& before,
                             const std::vector<float>& after, size_t n, double alpha, double beta) {
  std::mt19937 random(7);
  for (int round = 0; round < 10; ++round) {
    Vector x(n);
    for (double& e : x) e = random() & 1 ? 1 : -1;
    Vector abx = times(a, times(b, x)), c0x = times(before, x), cx = times(after, x);
    // Rounding: each element of C is a sum of n products below 1, and n of them are added.
    double tolerance = 1e-6 * double(n) * std::sqrt(double(n));
    for (size_t i = 0; i < n; ++i) {
      double expected = alpha * abx[i] + beta * c0x[i];
      if (!(std::abs(cx[i] - expected) <= tolerance)) {
        std::fprintf(stderr, "wrong: row %zu of C times x is %g instead of %g\n", i, cx[i], expected);
        return false;
      }
    }
  }
  return true;
}

inline int run(int n) {
  if (n <= 0 || n % kMultiple != 0) {
    std::fprintf(stderr, "n must be a multiple of %d\n", kMultiple);
    return 2;
  }
  size_t count = size_t(n) * n, bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), before(count), after(count);
  std::mt19937 random(1);
  for (auto* m : {&a, &b, &before})
    for (float& e : *m) e = float(int(random() % 2001) - 1000) / 1000.0f;

  Problem p{nullptr, nullptr, nullptr, n, 0.5f, 2.0f};
  float *da, *db, *dc;
  CUDA_CHECK(cudaMalloc(&da, bytes));
  CUDA_CHECK(cudaMalloc(&db, bytes));
  CUDA_CHECK(cudaMalloc(&dc, bytes));
  CUDA_CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(dc, before.data(), bytes, cudaMemcpyHostToDevice));
  p.a = da, p.b = db, p.c = dc;

  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  CUDA_CHECK(cudaEventRecord(begin));
  sgemm(p);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(end));
  CUDA_CHECK(cudaEventSynchronize(end));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, begin, end));
  CUDA_CHECK(cudaMemcpy(after.data(), dc, bytes, cudaMemcpyDeviceToHost));
  if (!product_is_right(a, b, before, after, size_t(n), p.alpha, p.beta)) return 1;
  std::printf("n = %d: %.3f ms, %.0f GFLOP/s\n", n, ms, 2.0 * n * n * n / (ms * 1e6));
  CUDA_CHECK(cudaFree(da));
  CUDA_CHECK(cudaFree(db));
  CUDA_CHECK(cudaFree(dc));
  return 0;
}

}  // namespace sgemm_ladder

int main(int argc, char** argv) { return sgemm_ladder::run(argc > 1 ? std::atoi(argv[1]) : 1024); }
