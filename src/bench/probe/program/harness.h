// How the probes measure. Everything is a difference: a kernel runs n and 2 n iterations, and what it needs longer is
// what n iterations need. Launching, starting, the first misses and reading clocks are in both and fall out.
//
//     rate      time(2n) - time(n) of a grid that fills the GPU, by events
//     latency   clocks(2n) - clocks(n) of one warp, by the clock of its multiprocessor
//
// What was found leaves as lines of JSON at once, so that the command can show how far it is:
//
//     {"probe":"fp32","per_second":[3.36e13,3.35e13],"hertz":[1.98e9,1.98e9]}
//     {"probe":"fma_latency","clocks":[4.01,4.01]}
//     {"begin":"fp32"} … {"end":"fp32","per_second":3.2e13,"hertz":1.6e9}          a load that goes on for a while
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace probe {

// The largest block of a probe. Without the promise a compiler may give each thread more registers than fit: an H100
// refused a probe of 1,024 threads that was compiled for 384.
constexpr unsigned kMostThreads = 1024;

// Two clocks at the beginning and at the end of a kernel: how fast the core runs.
struct Clocks {
  long long core[2];
  unsigned long long nanoseconds[2];
};

__device__ inline unsigned long long nanoseconds_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
__device__ inline void read_clocks(Clocks* clocks, int which) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    clocks->core[which] = clock64();
    clocks->nanoseconds[which] = nanoseconds_now();
  }
}

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

struct Plan {
  int out = 1;            // where lines go
  double seconds = 2e-4;  // that a difference should last
  unsigned repeats = 7;
  double load_seconds = 1;
};

class Harness {
 public:
  explicit Harness(const Plan& plan) : plan_(plan) {
    check(cudaGetDeviceProperties(&gpu_, 0), "asking what the GPU is");
    check(cudaMalloc(&clocks_, sizeof(Clocks)), "allocating");
    check(cudaMalloc(&sink_, kSinkBytes), "allocating");
    check(cudaEventCreate(&begin_), "making an event");
    check(cudaEventCreate(&end_), "making an event");
  }

  const cudaDeviceProp& gpu() const { return gpu_; }
  unsigned sms() const { return unsigned(gpu_.multiProcessorCount); }
  unsigned architecture() const { return unsigned(gpu_.major * 10 + gpu_.minor); }
  Clocks* clocks() const { return clocks_; }
  // Where a kernel stores what must not be dropped, and never is.
  unsigned* sink() const { return sink_; }
  void* memory(size_t bytes) {
    void* out = nullptr;
    check(cudaMalloc(&out, bytes), "allocating");
    check(cudaMemset(out, 0, bytes), "clearing memory");
    return out;
  }

  // `launch(n)` does n times `amount`; n at most `most`.
  void rate(const char* name, double amount, const std::function<void(unsigned)>& launch, unsigned most = 1u << 22) {
    const unsigned n = iterations(launch, most);
    std::vector<double> rates, hertz;
    for (unsigned i = 0; i < plan_.repeats; ++i) {
      const double first = time_of(launch, n), second = time_of(launch, 2 * n);
      if (second > first) rates.push_back(amount * n / (second - first));
      hertz.push_back(core_hertz());
    }
    say("{\"probe\":\"%s\",\"per_second\":%s,\"hertz\":%s}\n", name, list(rates).c_str(), list(hertz).c_str());
  }
  // The seconds of one iteration.
  void seconds(const char* name, const std::function<void(unsigned)>& launch, unsigned most = 1u << 22) {
    const unsigned n = iterations(launch, most);
    std::vector<double> times, hertz;
    for (unsigned i = 0; i < plan_.repeats; ++i) {
      const double first = time_of(launch, n), second = time_of(launch, 2 * n);
      if (second > first) times.push_back((second - first) / n);
      hertz.push_back(core_hertz());
    }
    say("{\"probe\":\"%s\",\"seconds\":%s,\"hertz\":%s}\n", name, list(times).c_str(), list(hertz).c_str());
  }
  // The clocks of one of `steps` dependent steps that an iteration has: `launch(n)` leaves them in clocks().
  void latency(const char* name, unsigned steps, const std::function<void(unsigned)>& launch) {
    constexpr unsigned kIterations = 16;
    std::vector<double> clocks;
    auto clocks_of = [&](unsigned n) {
      launch(n);
      finish(name);
      const Clocks read = clocks_read();
      return double(read.core[1] - read.core[0]);
    };
    clocks_of(kIterations);  // brings code and data near
    for (unsigned i = 0; i < plan_.repeats; ++i) {
      const double first = clocks_of(kIterations), second = clocks_of(2 * kIterations);
      clocks.push_back((second - first) / (double(kIterations) * steps));
    }
    say("{\"probe\":\"%s\",\"clocks\":%s}\n", name, list(clocks).c_str());
  }
  // Keeps the GPU busy, for the power that it takes and the clock that it keeps.
  void load(const char* name, double amount, const std::function<void(unsigned)>& launch, unsigned most = 1u << 22) {
    using Wall = std::chrono::steady_clock;
    if (plan_.load_seconds <= 0) return;
    const unsigned n = iterations(launch, most);
    say("{\"begin\":\"%s\"}\n", name);
    double time = 0, hertz = 0, done = 0;
    const auto start = Wall::now();
    do {
      time += time_of(launch, 2 * n);
      done += 2.0 * n;
      hertz = core_hertz();
    } while (std::chrono::duration<double>(Wall::now() - start).count() < plan_.load_seconds);
    say("{\"end\":\"%s\",\"per_second\":%.9g,\"hertz\":%.9g}\n", name, amount * done / time, hertz);
  }

  void say(const char* format, ...) const __attribute__((format(printf, 2, 3)));

 private:
  static constexpr size_t kSinkBytes = 4096;

  static std::string list(const std::vector<double>& values) {
    std::string text = "[";
    for (double v : values) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.9g", text.size() > 1 ? "," : "", v);
      text += number;
    }
    return text + "]";
  }
  void finish(const char* what) const {
    check(cudaGetLastError(), what);
    check(cudaDeviceSynchronize(), what);
  }
  double time_of(const std::function<void(unsigned)>& launch, unsigned n) {
    check(cudaEventRecord(begin_), "recording an event");
    launch(n);
    check(cudaEventRecord(end_), "recording an event");
    finish("running a probe");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_), "reading a time");
    return milliseconds * 1e-3;
  }
  // As many as make a difference that can be measured.
  unsigned iterations(const std::function<void(unsigned)>& launch, unsigned most) {
    time_of(launch, 1);  // the first launch of a kernel loads it
    unsigned n = 1;
    while (2 * n <= most / 2 && time_of(launch, 2 * n) - time_of(launch, n) < plan_.seconds) n *= 2;
    return n;
  }
  Clocks clocks_read() const {
    Clocks read;
    check(cudaMemcpy(&read, clocks_, sizeof read, cudaMemcpyDeviceToHost), "reading clocks");
    return read;
  }
  double core_hertz() const {
    const Clocks read = clocks_read();
    const double seconds = double(read.nanoseconds[1] - read.nanoseconds[0]) * 1e-9;
    return seconds > 0 ? double(read.core[1] - read.core[0]) / seconds : 0;
  }

  Plan plan_;
  cudaDeviceProp gpu_{};
  Clocks* clocks_ = nullptr;  // of the last kernel, on the GPU
  unsigned* sink_ = nullptr;
  cudaEvent_t begin_{}, end_{};
};

}  // namespace probe
