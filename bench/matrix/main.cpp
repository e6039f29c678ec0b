// The speed of what programs of today stand on: products on tensor cores (mma_product.cu), one with asynchronous copies
// (async_product.cu), a sort of thrust's (sort.cu, where the toolkit that thrust comes with is installed). Rates are
// per second of CPU time, so that other work on the machine hardly matters; beside them the host's best: OpenBLAS's
// single-precision product, where Debian's libopenblas0-pthread is installed, and std::sort. The first answers are
// checked.
//
//     bench_matrix                       exact rounding, as the device's
//     bench_matrix --approximate         the fast mode of tensor cores, as `warpwise run --approximate-mma`
//     bench_matrix --json=FILE --check   write the results there, too; exit with 1 when a target is missed
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "peers/measure.h"

extern "C" const void* bench_product_bf16();
extern "C" const void* bench_product_tf32();
extern "C" const void* bench_product_async();
#if WARPWISE_BENCH_THRUST
extern "C" void bench_sort(unsigned* keys, int count);
#endif

namespace {

using warpwise::bench::Times;

constexpr int kRounds = 5, kKeys = 1 << 22;
// The least share of OpenBLAS's rate that products on tensor cores shall have.
constexpr double kExactShare = 0.08, kApproximateShare = 0.25;

// Millions of something in a second.
double rate(double work, const std::function<void()>& call) {
  std::vector<Times> times;
  for (int round = 0; round < kRounds; ++round) times.push_back(warpwise::bench::time_once(call));
  return 1e-3 * work / warpwise::bench::median(times).cpu_ms;
}
double operations(int n) { return 2.0 * n * n * n; }

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

// `by_column`: the kernel wants b so that k is contiguous.
template <class T>
double on_warpwise(const void* kernel, int n, bool by_column, unsigned threads, const std::vector<float>& a,
                   const std::vector<float>& b) {
  auto narrow = [](float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    return static_cast<T>(sizeof(T) == 2 ? bits >> 16 : bits);
  };
  std::vector<T> narrow_a(a.size()), narrow_b(b.size());
  std::transform(a.begin(), a.end(), narrow_a.begin(), narrow),
      std::transform(b.begin(), b.end(), narrow_b.begin(), narrow);
  void *da, *db, *dc;
  check(cudaMalloc(&da, a.size() * sizeof(T))), check(cudaMalloc(&db, b.size() * sizeof(T))),
      check(cudaMalloc(&dc, a.size() * 4));
  check(cudaMemcpy(da, narrow_a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  check(cudaMemcpy(db, narrow_b.data(), b.size() * sizeof(T), cudaMemcpyHostToDevice));
  check(cudaMemset(dc, 0, a.size() * 4));
  void* arguments[] = {&da, &db, &dc, &n};
  auto launch = [&] {
    check(cudaLaunchKernel(kernel, dim3{unsigned(n) / 64, unsigned(n) / 64, 1}, dim3{threads, 1, 1}, arguments, 0,
                           nullptr));
    check(cudaDeviceSynchronize());
  };
  launch();
  std::vector<float> c(a.size());
  check(cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost));
  for (size_t at = 0; at < c.size(); at += 977) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[at / n * n + k] * (by_column ? b[at % n * n + k] : b[size_t(k) * n + at % n]);
    if (c[at] == sum) continue;
    fmt::print(stderr, "bench_matrix: element {} is {}, not {}\n", at, c[at], sum);
    std::exit(2);
  }
  const double result = rate(operations(n), launch);
  cudaFree(da), cudaFree(db), cudaFree(dc);
  return result;
}

// cblas_sgemm, by its documented interface: order 101 is by row; 111 not transposed, 112 transposed.
double on_openblas(int n, const std::vector<float>& a, const std::vector<float>& b) {
  void* library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) return 0;
  auto sgemm = reinterpret_cast<void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                                         float, float*, int)>(dlsym(library, "cblas_sgemm"));
  if (!sgemm) return 0;
  std::vector<float> c(a.size());
  auto call = [&] { sgemm(101, 111, 112, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n); };
  call();
  return rate(operations(n), call);
}

#if WARPWISE_BENCH_THRUST
double sort_on_warpwise(const std::vector<unsigned>& keys) {
  void *from, *to;
  check(cudaMalloc(&from, keys.size() * 4)), check(cudaMalloc(&to, keys.size() * 4));
  check(cudaMemcpy(from, keys.data(), keys.size() * 4, cudaMemcpyHostToDevice));
  auto call = [&] {
    check(cudaMemcpyAsync(to, from, keys.size() * 4, cudaMemcpyDeviceToDevice, nullptr));
    bench_sort(static_cast<unsigned*>(to), static_cast<int>(keys.size()));
    check(cudaDeviceSynchronize());
  };
  call();
  std::vector<unsigned> sorted(keys.size());
  check(cudaMemcpy(sorted.data(), to, keys.size() * 4, cudaMemcpyDeviceToHost));
  std::vector<unsigned> want = keys;
  std::sort(want.begin(), want.end());
  if (sorted != want) fmt::print(stderr, "bench_matrix: thrust's keys are not sorted\n"), std::exit(2);
  const double result = rate(static_cast<double>(keys.size()), call);
  cudaFree(from), cudaFree(to);
  return result;
}
#endif

double sort_on_host(const std::vector<unsigned>& keys) {
  std::vector<unsigned> some;
  return rate(static_cast<double>(keys.size()), [&] {
    some = keys;
    std::sort(some.begin(), some.end());
  });
}

}  // namespace

int main(int argc, char** argv) {
  int n = 1024;
  bool approximate = false, checking = false;
  std::string json_file;
  CLI::App app("Products on tensor cores, a product with asynchronous copies, a sort", "bench_matrix");
  app.add_option("--size", n, "rows and columns, a multiple of 64")->check(CLI::PositiveNumber);
  app.add_flag("--approximate", approximate, "tensor cores as fused multiply-adds");
  app.add_option("--json", json_file, "write the results there, too");
  app.add_flag("--check", checking, "exit with 1 when a target is missed");
  CLI11_PARSE(app, argc, argv);
  if (n % 64) return fmt::print(stderr, "bench_matrix: --size={} is no multiple of 64\n", n), 2;
  if (approximate) setenv("WARPWISE_OPTIONS", R"({"approximate_mma": true})", 1);

  const std::vector<float> a = numbers(size_t(n) * n, 1), b = numbers(size_t(n) * n, 2);
  const double blas = on_openblas(n, a, b) * 1e-3;
  auto results = nlohmann::json::array();
  bool missed = false;
  // `share`: the least of the host's rate that is good; 0: there is no promise.
  auto note = [&](const char* id, const std::string& what, double value, const char* unit, const char* host,
                  double host_value, double share) {
    const double ratio = host_value > 0 ? value / host_value : 0;
    fmt::print("{:>9.1f} {}", value, unit);
    if (host_value > 0) fmt::print("  {:.3f} of {}'s {:.1f}", ratio, host, host_value);
    if (share > 0) fmt::print(" (target {:g})", share);
    fmt::print("  {}\n", what);
    std::fflush(stdout);
    results.push_back({{"id", id},
                       {"what", what},
                       {"value", value},
                       {"unit", unit},
                       {"host", host},
                       {"host_value", host_value},
                       {"target", share}});
    missed = missed || (host_value > 0 && ratio < share);
  };
  const double share = approximate ? kApproximateShare : kExactShare;
  const std::string how = approximate ? ", fast mode (`--approximate-mma`)" : ", rounded as by the device";
  constexpr const char* kGflops = "GFLOP/s";
  note("mma_bf16", "tensor-core product, bf16" + how,
       on_warpwise<uint16_t>(bench_product_bf16(), n, true, 128, a, b) * 1e-3, kGflops, "OpenBLAS", blas, share);
  note("mma_tf32", "tensor-core product, tf32" + how,
       on_warpwise<uint32_t>(bench_product_tf32(), n, true, 128, a, b) * 1e-3, kGflops, "OpenBLAS", blas, share);
  if (!approximate) {
    note("async", "product with `cp.async` into two buffers, fp32",
         on_warpwise<uint32_t>(bench_product_async(), n, false, 256, a, b) * 1e-3, kGflops, "OpenBLAS", blas, 0);
#if WARPWISE_BENCH_THRUST
    std::vector<unsigned> keys(kKeys);
    unsigned state = 3;
    for (unsigned& key : keys) state = state * 1664525 + 1013904223, key = state ^ state >> 13;
    note("sort", fmt::format("`thrust::sort` of {} keys", keys.size()), sort_on_warpwise(keys), "million/s",
         "std::sort", sort_on_host(keys), 0);
#endif
  }
  if (!json_file.empty()) {
    std::ofstream file(json_file);
    file << results.dump(2) << '\n';
    if (!file.flush()) return fmt::print(stderr, "bench_matrix: cannot write {}\n", json_file), 2;
  }
  return checking && missed ? 1 : 0;
}
