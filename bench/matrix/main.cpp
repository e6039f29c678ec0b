// The speed of tensor-core products (mma_product.cu) beside OpenBLAS's single-precision one: GFLOP/s per second of CPU
// time, so that other work on the machine hardly matters. OpenBLAS takes part where Debian's libopenblas0-pthread is
// installed. The first answers are checked against a plain product.
//
//     bench_matrix [N]                                           exact rounding, as the device's
//     WARPWISE_OPTIONS='{"approximate_mma": true}' bench_matrix  the fast mode
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

#include "peers/measure.h"

extern "C" const void* bench_product_bf16();
extern "C" const void* bench_product_tf32();

namespace {

using warpwise::bench::Times;

constexpr int kRounds = 5;

double rate(int n, const std::function<void()>& call) {
  std::vector<Times> times;
  for (int round = 0; round < kRounds; ++round) times.push_back(warpwise::bench::time_once(call));
  return 2e-6 * n * n * n / warpwise::bench::median(times).cpu_ms;
}

// Multiples of 1/8 from -1 to 1: exact in every format here, and so are their sums.
std::vector<float> numbers(size_t count, unsigned state) {
  std::vector<float> out(count);
  for (float& x : out) x = static_cast<float>(static_cast<int>((state = state * 1664525 + 1013904223) >> 28) - 8) / 8;
  return out;
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  fmt::print(stderr, "bench_matrix: {}\n", cudaGetErrorString(status));
  std::exit(2);
}

template <class T>
double on_warpwise(const void* kernel, int n, const std::vector<float>& a, const std::vector<float>& b) {
  auto narrow = [](float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return static_cast<T>(sizeof(T) == 2 ? bits >> 16 : bits);
  };
  std::vector<T> narrow_a(a.size()), narrow_b(b.size());
  std::transform(a.begin(), a.end(), narrow_a.begin(), narrow), std::transform(b.begin(), b.end(), narrow_b.begin(), narrow);
  void *da, *db, *dc;
  check(cudaMalloc(&da, a.size() * sizeof(T))), check(cudaMalloc(&db, b.size() * sizeof(T))), check(cudaMalloc(&dc, a.size() * 4));
  check(cudaMemcpy(da, narrow_a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, narrow_b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
  check(cudaMemset(dc, 0, a.size() * 4));
  void* arguments[] = {&da, &db, &dc, &n};
  auto launch = [&] {
    check(cudaLaunchKernel(kernel, dim3{unsigned(n) / 64, unsigned(n) / 64, 1}, dim3{128, 1, 1}, arguments, 0, nullptr));
    check(cudaDeviceSynchronize());
  };
  launch();
  std::vector<float> c(a.size());
  check(cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost));
  for (size_t at = 0; at < c.size(); at += 977) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[at / n * n + k] * b[at % n * n + k];
    if (c[at] == sum) continue;
    fmt::print(stderr, "bench_matrix: element {} is {}, not {}\n", at, c[at], sum);
    std::exit(2);
  }
  const double result = rate(n, launch);
  cudaFree(da), cudaFree(db), cudaFree(dc);
  return result;
}

// cblas_sgemm, by its documented interface: order 101 is by row; 111 not transposed, 112 transposed.
double on_openblas(int n, const std::vector<float>& a, const std::vector<float>& b) {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) return 0;
  auto sgemm = reinterpret_cast<void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int)>(dlsym(library, "cblas_sgemm"));
  if (!sgemm) return 0;
  std::vector<float> c(a.size());
  auto call = [&] { sgemm(101, 111, 112, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n); };
  call();
  return rate(n, call);
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) / 64 * 64 : 1024;
  if (n <= 0) return fmt::print(stderr, "bench_matrix [N], a multiple of 64\n"), 2;
  const std::vector<float> a = numbers(size_t(n) * n, 1), b = numbers(size_t(n) * n, 2);
  const double bf16 = on_warpwise<uint16_t>(bench_product_bf16(), n, a, b), tf32 = on_warpwise<uint32_t>(bench_product_tf32(), n, a, b);
  const double blas = on_openblas(n, a, b);
  auto of_blas = [&](double r) { return blas > 0 ? fmt::format("  {:.3f} of OpenBLAS", r / blas) : std::string(); };
  fmt::print("products of {0} by {0} matrices, GFLOP per second of CPU time\n", n);
  fmt::print("  mma bf16        {:8.1f}{}\n  mma tf32        {:8.1f}{}\n", bf16, of_blas(bf16), tf32, of_blas(tf32));
  if (blas > 0) fmt::print("  OpenBLAS sgemm  {:8.1f}\n", blas);
  else fmt::print("  OpenBLAS is not installed (libopenblas0-pthread)\n");
}
