// The pipes of a multiprocessor: how many lanes each takes in a clock, and how long a result takes.
//
// The instructions are written in PTX, so that no compiler chooses others. A rate has eight chains to a thread and all
// the threads that a multiprocessor holds; a latency has one chain of one warp.
#pragma once

#include "harness.h"

namespace probe {

constexpr unsigned kSteps = 64, kChains = 8, kThreads = 512;

// One step of a chain: x = f(x), for each pipe. (`lop3` mixes two chains, so that ptxas cannot merge two steps.)
struct Fp32 {
  using Value = float;
  static constexpr Value kFirst = 1.0f;
  __device__ static void step(Value& x, Value&, Value a) {
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));
  }
};
struct Fp64 {
  using Value = double;
  static constexpr Value kFirst = 1.0;
  __device__ static void step(Value& x, Value&, Value a) {
    asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(a));
  }
};
struct Fp16 {
  using Value = unsigned;
  static constexpr Value kFirst = 0x3c003c00;
  __device__ static void step(Value& x, Value&, Value a) {
    asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(a));
  }
};
struct Integer {
  using Value = unsigned;
  static constexpr Value kFirst = 0x9e3779b9;
  __device__ static void step(Value& x, Value& y, Value a) {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(x) : "r"(y), "r"(a));
  }
};
struct Special {
  using Value = float;
  static constexpr Value kFirst = 0.5f;
  __device__ static void step(Value& x, Value&, Value) { asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};

template <class Pipe>
__global__ void __launch_bounds__(kMostThreads)
    pipe_rate(unsigned n, typename Pipe::Value a, Clocks* clocks, unsigned* sink) {
  typename Pipe::Value x[kChains];
  for (unsigned c = 0; c < kChains; ++c) x[c] = a * typename Pipe::Value(threadIdx.x + c);
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s) Pipe::step(x[s % kChains], x[(s + 1) % kChains], a);
  read_clocks(clocks, 1);
  for (unsigned c = 1; c < kChains; ++c) x[0] += x[c];
  if (n == 0) *sink = unsigned(x[0]);
}

template <class Pipe>
__global__ void __launch_bounds__(kMostThreads)
    pipe_latency(unsigned n, typename Pipe::Value a, Clocks* clocks, unsigned* sink) {
  typename Pipe::Value x = a, y = a;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s) Pipe::step(x, y, a);
  read_clocks(clocks, 1);
  if (n == 0) *sink = unsigned(x);
}

static __global__ void __launch_bounds__(kMostThreads) barrier_latency(unsigned n, Clocks* clocks) {
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s) asm volatile("bar.sync 0;" ::: "memory");
  read_clocks(clocks, 1);
}

template <class Pipe>
void measure_pipe(Harness& h, const char* name, const char* latency) {
  const unsigned blocks = h.sms() * unsigned(h.gpu().maxThreadsPerMultiProcessor) / kThreads;
  h.rate(name, double(blocks) * kThreads * kSteps,
         [&](unsigned n) { pipe_rate<Pipe><<<blocks, kThreads>>>(n, Pipe::kFirst, h.clocks(), h.sink()); });
  if (latency)
    h.latency(latency, kSteps,
              [&](unsigned n) { pipe_latency<Pipe><<<1, 32>>>(n, Pipe::kFirst, h.clocks(), h.sink()); });
}

inline void measure_pipes(Harness& h) {
  measure_pipe<Fp32>(h, "fp32", "fma_latency");
  measure_pipe<Integer>(h, "integer", nullptr);
  measure_pipe<Fp64>(h, "fp64", "fp64_latency");
  measure_pipe<Fp16>(h, "fp16", nullptr);
  measure_pipe<Special>(h, "special", "special_latency");
  h.latency("barrier_latency", kSteps, [&](unsigned n) { barrier_latency<<<1, 32>>>(n, h.clocks()); });
}

inline void load_fp32(Harness& h) {
  const unsigned blocks = h.sms() * unsigned(h.gpu().maxThreadsPerMultiProcessor) / kThreads;
  h.load("fp32", double(blocks) * kThreads * kSteps,
         [&](unsigned n) { pipe_rate<Fp32><<<blocks, kThreads>>>(n, Fp32::kFirst, h.clocks(), h.sink()); });
}

}  // namespace probe
