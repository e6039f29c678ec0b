// What every example shares: checked CUDA calls, reproducible random input, and the verdict.
//
// Each example computes its result twice, on the GPU and plainly on the CPU, and ends in one line that
// begins with PASS or FAIL; on FAIL it exits with 1. Sizes are arguments with defaults.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                               \
  do {                                                                                                 \
    cudaError_t status_ = (call);                                                                      \
    if (status_ != cudaSuccess) {                                                                      \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_)); \
      std::exit(2);                                                                                    \
    }                                                                                                  \
  } while (0)

// After a launch: was the configuration valid, and did the kernel run to its end?
inline void check_kernel() {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

// The n-th argument as a size, or its default.
inline int argument(int argc, char** argv, int n, int otherwise) {
  if (argc <= n) return otherwise;
  int value = std::atoi(argv[n]);
  if (value <= 0) {
    std::fprintf(stderr, "%s: `%s` is not a size\n", argv[0], argv[n]);
    std::exit(2);
  }
  return value;
}

inline int divide_up(int a, int b) { return (a + b - 1) / b; }

// Uniform in [-1, 1), the same on every machine (a linear congruential generator, Knuth's MMIX constants).
inline std::vector<float> random_floats(size_t count, unsigned long long seed = 1) {
  std::vector<float> values(count);
  for (float& v : values) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    v = float(int(seed >> 40)) / float(1 << 23) - 1.0f;
  }
  return values;
}

// Device memory that frees itself.
template <class T>
struct DeviceArray {
  T* data = nullptr;
  size_t count = 0;
  explicit DeviceArray(size_t n) : count(n) { CUDA_CHECK(cudaMalloc(&data, n * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    CUDA_CHECK(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data); }
  void clear() { CUDA_CHECK(cudaMemset(data, 0, count * sizeof(T))); }
  std::vector<T> to_host() const {
    std::vector<T> host(count);
    CUDA_CHECK(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
};

// Largest difference, relative to values above 1. NaN counts as infinitely wrong.
inline double largest_error(const std::vector<float>& got, const std::vector<float>& want) {
  double worst = got.size() == want.size() ? 0.0 : INFINITY;
  for (size_t i = 0; i < got.size() && i < want.size(); ++i) {
    double error = std::fabs(double(got[i]) - want[i]) / std::fmax(1.0, std::fabs(double(want[i])));
    if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
  }
  return worst;
}

// Several checks, one verdict.
class Verdict {
 public:
  void check(const char* what, bool good) {
    std::printf("  %-28s %s\n", what, good ? "ok" : "WRONG");
    good_ = good_ && good;
  }
  void check(const char* what, const std::vector<float>& got, const std::vector<float>& want, double tolerance) {
    double error = largest_error(got, want);
    std::printf("  %-28s %s (largest error %.2g)\n", what, error <= tolerance ? "ok" : "WRONG", error);
    good_ = good_ && error <= tolerance;
  }
  int finish(const char* name) const {
    std::printf("%s %s\n", good_ ? "PASS" : "FAIL", name);
    return good_ ? 0 : 1;
  }

 private:
  bool good_ = true;
};
