// main() of a worker of `warpwise bench` (bench_protocol.h): makes inputs, times `solve`, compares its outputs with
// `reference`. Compiled as CUDA C++ by `warpwise bench`, linked with both; nothing to include by hand.
//
// A timed run, all on the default stream:
//
//     make inputs │ poison outputs │ flush L2 │ wait │ event │ solve │ event │ compare outputs, inputs
//
//   inputs   come from one of a few seeds, in an order that solve cannot know, and the answer to each was computed
//            before: every run is compared, and a kernel that hands out an old result is found.
//   poison   is what shows that a run has written nothing.
//   flush    reads twice the size of L2, so that each run finds a cache without its data. (A fill would do so, too, but
//            what it leaves must be written to memory while the kernel runs: a fifth of the time of a sum of 256 MB.)
//            With `warm` an unmeasured run comes before instead.
//   wait     keeps the GPU busy until the host has brought the events and what is between them; otherwise the host's
//            time for a launch would count.
#pragma once

#include "warpwise/bench_protocol.h"

#ifdef WARPWISE_BENCH_MAIN

#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

// Made from the ladder's signature: calls with an argument from each word of 8 bytes.
void warpwise_call_solve(const uint64_t* arguments);
void warpwise_call_reference(const uint64_t* arguments);

namespace warpwise::bench_worker {

// --- numbers -------------------------------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014) of a position.
inline __host__ __device__ uint64_t random_bits(uint64_t seed, uint64_t at) {
  uint64_t z = seed + (at + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// To nearest, ties to even.
inline __device__ uint16_t to_bfloat16(float value) {
  const uint32_t bits = __float_as_uint(value);
  if (value != value) return 0x7fff;
  return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline __device__ float from_half(uint16_t half) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
}
inline __device__ uint16_t to_half(float value) {
  uint16_t half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
}

template <class T>
__device__ double to_double(T value) {
  return double(value);
}
inline __device__ double to_double(HalfBits value) { return from_half(value.bits); }
inline __device__ double to_double(BFloat16Bits value) { return __uint_as_float(uint32_t(value.bits) << 16); }

template <class T>
__device__ T from_real(double value) {
  return T(value);
}
template <>
inline __device__ HalfBits from_real<HalfBits>(double value) {
  return {to_half(float(value))};
}
template <>
inline __device__ BFloat16Bits from_real<BFloat16Bits>(double value) {
  return {to_bfloat16(float(value))};
}
template <class T>
__device__ T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
__device__ uint64_t bits_of(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

// The element of an input at a place.
template <class T>
__device__ T element_of(const Argument& a, uint64_t seed, uint64_t at) {
  const uint64_t bits = random_bits(seed, at);
  const float uniform = float(uint32_t(bits >> 40)) * 0x1p-24f;
  switch (a.filling) {
    case Filling::Normal: {  // Box and Muller, 1958
      const float other = float(uint32_t(bits) >> 8) * 0x1p-24f;
      return from_real<T>(sqrtf(-2 * logf(1 - uniform)) * cosf(6.2831853f * other));
    }
    case Filling::Uniform:
      return from_real<T>(a.low + (a.high - a.low) * uniform);
    case Filling::Below:
      return from_real<T>(double(__umul64hi(bits, a.below)));
    case Filling::Skewed:
      return from_real<T>(floor(double(a.below) * double(uniform * uniform) * double(uniform * uniform)));
    case Filling::Constant:
      return from_real<T>(a.low);
    case Filling::Bits:
      break;
  }
  return from_bits<T>(bits);
}

// --- kernels -------------------------------------------------------------------------------------------------------

struct Found {
  unsigned long long wrong, poisoned, first;
};

inline __device__ uint64_t first_element() { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
inline __device__ uint64_t stride() { return uint64_t(gridDim.x) * blockDim.x; }

inline __device__ void note_wrong(Found* found, uint64_t at, bool poisoned) {
  atomicAdd(&found->wrong, 1ull);
  if (poisoned) atomicAdd(&found->poisoned, 1ull);
  atomicMin(&found->first, static_cast<unsigned long long>(at));
}

template <class T>
__global__ void make_input(T* out, Argument a, uint64_t seed) {
  for (uint64_t i = first_element(); i < a.count; i += stride()) out[i] = element_of<T>(a, seed, i);
}

template <class T>
__global__ void compare_input(const T* in, Argument a, uint64_t seed, Found* found) {
  for (uint64_t i = first_element(); i < a.count; i += stride())
    if (bits_of(in[i]) != bits_of(element_of<T>(a, seed, i))) note_wrong(found, i, false);
}

// Integers are subtracted as integers: those of 64 bits have neighbours that are one double.
template <class T>
__device__ bool is_near(T value, T right, const Argument& a) {
  const double g = to_double(value), e = to_double(right), most = a.absolute + a.relative * fabs(e);
  if constexpr (std::is_integral_v<T>)
    return double(value > right ? uint64_t(value) - uint64_t(right) : uint64_t(right) - uint64_t(value)) <= most;
  else
    return g == e || (g != g && e != e) || fabs(g - e) <= most;
}

template <class T>
__global__ void compare_output(const T* got, const T* expected, Argument a, uint64_t poison, bool has_poison,
                               Found* found) {
  for (uint64_t i = first_element(); i < a.count; i += stride()) {
    const T value = got[i], right = expected[i];
    if (bits_of(value) == bits_of(right)) continue;
    if (is_near(value, right, a)) continue;
    note_wrong(found, i, has_poison && bits_of(value) == (poison & ~0ull >> (64 - 8 * sizeof(T))));
  }
}

// Lasts about so many clocks, whatever the clock does.
static __global__ void wait_clocks(long long clocks) {
  const long long start = clock64();
  for (unsigned i = 0; i < 1u << 20 && clock64() - start < clocks; ++i) {
  }
}

// The sum is written where it cannot be, or the loads would be dropped.
static __global__ void read_through(const uint4* from, uint64_t count, unsigned* sink) {
  unsigned sum = 0;
  for (uint64_t i = first_element(); i < count; i += stride()) {
    const uint4 v = from[i];
    sum |= v.x | v.y | v.z | v.w;
  }
  if (sum) *sink = sum;
}

static __global__ void copy_wide(const uint4* from, uint4* to, uint64_t count) {
  const uint64_t i = first_element();
  if (i < count) to[i] = from[i];
}

// --- the worker ----------------------------------------------------------------------------------------------------

// The type of an element, as a value of it.
template <class Do>
void with_type(Element element, Do work) {
  switch (element) {
#define X(name, type) \
  case Element::name: \
    work(type{});     \
    return;
    WARPWISE_BENCH_ELEMENTS(X)
#undef X
  }
}
inline uint64_t bytes_of(Element element) {
  uint64_t bytes = 0;
  with_type(element, [&](auto value) { bytes = sizeof value; });
  return bytes;
}

class Worker {
 public:
  // What went wrong, in words; "": nothing.
  const std::string& why() const { return why_; }

  Answer prepare(const Order& order, const std::vector<Argument>& arguments);
  Answer round(const Order& order, std::vector<Run>& runs);
  Answer copy(const Order& order);
  void clear();

 private:
  static constexpr unsigned kBlock = 256;
  static constexpr unsigned kMostSeeds = 3;
  static constexpr uint64_t kAlignment = 256;

  bool ok(cudaError_t error, const char* what) {
    if (error != cudaSuccess && why_.empty()) why_ = std::string(what) + ": " + cudaGetErrorString(error);
    return why_.empty();
  }
  bool allocate(void** to, uint64_t bytes, const char* what) {
    bytes = std::max<uint64_t>(bytes, 1);
    if (order_.memory && bytes_ + bytes > order_.memory) {
      if (why_.empty()) why_ = std::string(what) + ": more memory than the GPU has for each version";
      return false;
    }
    if (!ok(cudaMalloc(to, bytes), what)) return false;
    allocated_.push_back(*to);
    bytes_ += bytes;
    return true;
  }
  Answer answer() const {
    Answer a;
    a.ok = why_.empty();
    std::snprintf(a.why, sizeof a.why, "%s", why_.c_str());
    return a;
  }
  unsigned blocks(uint64_t count) const {
    return unsigned(std::max<uint64_t>(1, std::min<uint64_t>((count + kBlock - 1) / kBlock, multiprocessors_ * 16)));
  }
  bool is_made(size_t i) const { return arguments_[i].role == Role::Input || arguments_[i].role == Role::Inout; }
  bool is_answer(size_t i) const { return arguments_[i].role == Role::Output || arguments_[i].role == Role::Inout; }
  uint64_t size_of(size_t i) const { return arguments_[i].count * bytes_of(arguments_[i].element); }
  uint64_t seed_of(unsigned seed, size_t i) const { return random_bits(seeds_[seed], 0x100 + i); }

  void make_inputs(unsigned seed);
  void poison(unsigned char with);
  bool compute_answer(unsigned seed);
  void compare(unsigned seed, unsigned char with, Found* found);
  void one_run(unsigned seed, bool warm, unsigned char with);
  Run run_of(unsigned seed);
  Fault judge(const Run& run, const Found& found, unsigned seed);
  void measure_host();
  bool find_device();
  bool make_flush(uint64_t bytes);
  void flush();

  Order order_;
  std::vector<Argument> arguments_;
  std::vector<uint64_t> words_;             // of the call
  std::vector<void*> answers_[kMostSeeds];  // of each argument; null: not an output
  uint64_t seeds_[kMostSeeds] = {};
  unsigned seed_count_ = 0;
  std::vector<void*> allocated_;
  uint64_t bytes_ = 0;
  void* flush_ = nullptr;
  uint64_t flush_bytes_ = 0;
  Found* found_ = nullptr;  // of each argument
  std::vector<cudaEvent_t> events_;
  unsigned multiprocessors_ = 1;
  double clocks_per_second_ = 1e9;
  double host_seconds_ = 0;                         // that a call of solve takes the host
  double run_seconds_ = 0, reference_seconds_ = 0;  // spent in rounds, by the wall clock
  std::string why_;
};

inline void Worker::make_inputs(unsigned seed) {
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (is_made(i) && arguments_[i].count)
      with_type(arguments_[i].element, [&](auto value) {
        using T = decltype(value);
        make_input<T>
            <<<blocks(arguments_[i].count), kBlock>>>(reinterpret_cast<T*>(words_[i]), arguments_[i], seed_of(seed, i));
      });
}

inline void Worker::poison(unsigned char with) {
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (arguments_[i].role == Role::Output || arguments_[i].role == Role::Scratch)
      ok(cudaMemsetAsync(reinterpret_cast<void*>(words_[i]), arguments_[i].zeroed ? 0 : with, size_of(i)),
         "poisoning outputs");
}

inline bool Worker::compute_answer(unsigned seed) {
  make_inputs(seed);
  poison(0);
  warpwise_call_reference(words_.data());
  if (!ok(cudaGetLastError(), "launching the reference")) return false;
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (is_answer(i))
      ok(cudaMemcpyAsync(answers_[seed][i], reinterpret_cast<void*>(words_[i]), size_of(i), cudaMemcpyDeviceToDevice),
         "keeping an answer");
  return ok(cudaDeviceSynchronize(), "running the reference");
}

inline void Worker::compare(unsigned seed, unsigned char with, Found* found) {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    if (!a.count || a.role == Role::Number || a.role == Role::Scratch) continue;
    with_type(a.element, [&](auto value) {
      using T = decltype(value);
      T* const array = reinterpret_cast<T*>(words_[i]);
      if (is_answer(i))
        compare_output<T><<<blocks(a.count), kBlock>>>(array, static_cast<T*>(answers_[seed][i]), a,
                                                       a.zeroed ? 0 : with * 0x0101010101010101ull,
                                                       a.role != Role::Inout, found + i);
      else
        compare_input<T><<<blocks(a.count), kBlock>>>(array, a, seed_of(seed, i), found + i);
    });
  }
}

inline bool Worker::find_device() {
  int clock = 0, multiprocessors = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  if (!ok(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "asking what the GPU is"))
    return false;
  multiprocessors_ = unsigned(multiprocessors);
  clocks_per_second_ = clock ? clock * 1e3 : 1e9;
  return true;
}

// How long the host needs for a call: the GPU must be busy for so long before the call's first event.
inline void Worker::measure_host() {
  host_seconds_ = 1;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    warpwise_call_solve(words_.data());
    host_seconds_ =
        std::min(host_seconds_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!ok(cudaGetLastError(), "launching solve") || !ok(cudaDeviceSynchronize(), "running solve")) return;
  }
}

inline Answer Worker::prepare(const Order& order, const std::vector<Argument>& arguments) {
  clear();
  order_ = order;
  arguments_ = arguments;
  if (!find_device()) return answer();
  words_.assign(arguments.size(), 0);
  for (size_t i = 0; i < arguments.size(); ++i) {
    words_[i] = arguments[i].number;
    if (arguments[i].role == Role::Number) continue;
    void* array = nullptr;
    if (!allocate(&array, size_of(i), "allocating an argument")) return answer();
    words_[i] = reinterpret_cast<uint64_t>(array);
  }
  if (!order.unchecked) {
    void* memory = nullptr;
    if (!allocate(&memory, arguments.size() * sizeof(Found), "allocating results")) return answer();
    found_ = static_cast<Found*>(memory);
    if (!make_flush(order.flush)) return answer();
    events_.resize(2);
    for (cudaEvent_t& event : events_)
      if (!ok(cudaEventCreate(&event), "making an event")) return answer();
    // As many seeds as there is memory for; two at least, or an old result could not be told from a new one.
    for (unsigned seed = 0; seed < kMostSeeds; ++seed) {
      answers_[seed].assign(arguments_.size(), nullptr);
      uint64_t needed = 0;
      for (size_t i = 0; i < arguments.size(); ++i) needed += is_answer(i) ? size_of(i) : 0;
      if (seed >= 2 && order.memory && bytes_ + needed > order.memory) break;
      for (size_t i = 0; i < arguments.size(); ++i)
        if (is_answer(i) && !allocate(&answers_[seed][i], size_of(i), "allocating answers")) return answer();
      seeds_[seed] = random_bits(order.seed, seed);
      if (!compute_answer(seed)) return answer();
      ++seed_count_;
    }
  }
  seeds_[0] = random_bits(order.seed, 0);
  make_inputs(0);
  poison(0xff);
  if (order.unchecked) {
    warpwise_call_solve(words_.data());
    if (ok(cudaGetLastError(), "launching solve")) ok(cudaDeviceSynchronize(), "running solve");
    return answer();
  }
  measure_host();
  Answer done = answer();
  float nothing = 0;
  cudaEventRecord(events_[0]), cudaEventRecord(events_[1]), cudaEventSynchronize(events_[1]);
  if (done.ok && cudaEventElapsedTime(&nothing, events_[0], events_[1]) == cudaSuccess) done.seconds = nothing * 1e-3;
  done.bytes = bytes_;
  return done;
}

inline bool Worker::make_flush(uint64_t bytes) {
  flush_bytes_ = bytes / kAlignment * kAlignment;
  return flush_bytes_ == 0 || (allocate(&flush_, flush_bytes_ + kAlignment, "allocating what flushes the cache") &&
                               ok(cudaMemset(flush_, 0, flush_bytes_ + kAlignment), "clearing what flushes the cache"));
}

inline void Worker::flush() {
  const uint64_t count = flush_bytes_ / sizeof(uint4);
  if (count)
    read_through<<<blocks(count), kBlock>>>(static_cast<uint4*>(flush_), count,
                                            reinterpret_cast<unsigned*>(static_cast<char*>(flush_) + flush_bytes_));
}

inline void Worker::one_run(unsigned seed, bool warm, unsigned char with) {
  const std::vector<Found> none(arguments_.size(), Found{0, 0, ~0ull});
  ok(cudaMemcpy(found_, none.data(), none.size() * sizeof(Found), cudaMemcpyHostToDevice), "clearing results");
  make_inputs(seed);
  poison(with);
  if (warm) {
    warpwise_call_solve(words_.data());
    for (size_t i = 0; i < arguments_.size(); ++i)  // it may have changed them
      if (arguments_[i].role == Role::Inout) {
        make_inputs(seed);
        break;
      }
    poison(with);
  } else {
    flush();
  }
  wait_clocks<<<1, 1>>>((long long)(clocks_per_second_ * (1.5 * std::min(host_seconds_, 1e-3) + 1e-5)));
  ok(cudaEventRecord(events_[0]), "recording an event");
  warpwise_call_solve(words_.data());
  ok(cudaEventRecord(events_[1]), "recording an event");
  ok(cudaGetLastError(), "launching solve");
  compare(seed, with, found_);
  ok(cudaGetLastError(), "comparing outputs");
}

// The value of an element, on the host: what a message shows.
inline double value_at(const void* array, Element element, uint64_t at) {
  double shown = 0;
  with_type(element, [&](auto value) {
    using T = decltype(value);
    cudaMemcpy(&value, static_cast<const T*>(array) + at, sizeof value, cudaMemcpyDeviceToHost);
    if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>) {
      uint32_t bits;
      if (std::is_same_v<T, BFloat16Bits>) {
        bits = uint32_t(value.bits) << 16;
        float wide;
        std::memcpy(&wide, &bits, sizeof wide);
        shown = wide;
      } else {
        const int exponent = value.bits >> 10 & 31, fraction = value.bits & 1023;
        shown = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                               : std::ldexp(fraction, -24);
        if (value.bits >> 15) shown = -shown;
      }
    } else {
      shown = double(value);
    }
  });
  return shown;
}

// What the faults of an output look like: nothing written, or right for the inputs of another seed.
inline Fault Worker::judge(const Run& run, const Found& found, unsigned seed) {
  if (!is_answer(run.argument)) return Fault::Changed;
  if (found.poisoned == found.wrong) return Fault::Unwritten;
  Found* const other = found_;  // the results of the run have been read
  const Found none{0, 0, ~0ull};
  for (unsigned s = 0; s < seed_count_; ++s) {
    if (s == seed) continue;
    cudaMemcpy(other, &none, sizeof none, cudaMemcpyHostToDevice);
    const Argument& a = arguments_[run.argument];
    with_type(a.element, [&](auto value) {
      using T = decltype(value);
      compare_output<T><<<blocks(a.count), kBlock>>>(reinterpret_cast<T*>(words_[run.argument]),
                                                     static_cast<T*>(answers_[s][run.argument]), a, 0, false, other);
    });
    Found got{};
    cudaMemcpy(&got, other, sizeof got, cudaMemcpyDeviceToHost);
    if (got.wrong == 0) return Fault::Replayed;
  }
  return Fault::Wrong;
}

inline Run Worker::run_of(unsigned seed) {
  Run out;
  float milliseconds = 0;
  ok(cudaEventElapsedTime(&milliseconds, events_[0], events_[1]), "reading a time");
  out.seconds = milliseconds * 1e-3;
  std::vector<Found> found(arguments_.size());
  ok(cudaMemcpy(found.data(), found_, found.size() * sizeof(Found), cudaMemcpyDeviceToHost), "reading results");
  for (size_t i = 0; i < arguments_.size() && why_.empty(); ++i) {
    if (found[i].wrong == 0) continue;
    const void* array = reinterpret_cast<void*>(words_[i]);
    out.argument = uint32_t(i);
    out.elements = found[i].wrong;
    out.first = found[i].first;
    out.got = value_at(array, arguments_[i].element, out.first);
    if (is_answer(i)) out.expected = value_at(answers_[seed][i], arguments_[i].element, out.first);
    out.fault = judge(out, found[i], seed);
    break;
  }
  return out;
}

// Ends with the first run that is at fault: what it has left can still be looked at.
inline Answer Worker::round(const Order& order, std::vector<Run>& runs) {
  if (seed_count_ == 0) return why_ = "a round before its arguments", answer();
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); };
  // One of the inputs is new in each round, unless the reference would take longer than what is measured. The first
  // stays: results of the first run are what is handed out again.
  if (reference_seconds_ <= run_seconds_) {
    const auto start = Clock::now();
    const unsigned renewed = 1 + unsigned(random_bits(order.seed, 1) % (seed_count_ - 1));
    seeds_[renewed] = random_bits(order.seed, 2);
    if (!compute_answer(renewed)) return answer();
    reference_seconds_ += since(start);
  }
  const auto start = Clock::now();
  const unsigned count = std::min(order.runs, kMostRuns);
  for (unsigned run = 0; run < count && (runs.empty() || runs.back().fault == Fault::None); ++run) {
    const uint64_t choice = random_bits(order.seed, 3 + run);
    const unsigned seed = unsigned(choice % seed_count_);
    one_run(seed, order.warm, choice >> 32 & 1 ? 0xff : 0x7b);
    if (!ok(cudaDeviceSynchronize(), "running solve")) return answer();
    runs.push_back(run_of(seed));
    if (!why_.empty()) return answer();
  }
  Answer done = answer();
  done.runs = uint32_t(runs.size());
  done.seconds = since(start);
  run_seconds_ += done.seconds;
  return done;
}

// What copying reaches, measured as solve is: the roof that a kernel can be held against which reads as much as it
// writes. The better of our kernel and the driver's copy.
inline Answer Worker::copy(const Order& order) {
  constexpr int kTimes = 10;
  clear();
  const uint64_t bytes = order.memory / kAlignment * kAlignment, count = bytes / sizeof(uint4);
  void *from = nullptr, *to = nullptr;
  cudaEvent_t first = nullptr, last = nullptr;
  double best = 0;
  if (find_device() && allocate(&from, bytes, "allocating for a copy") &&
      allocate(&to, bytes, "allocating for a copy") && make_flush(order.flush) &&
      ok(cudaEventCreate(&first), "making an event") && ok(cudaEventCreate(&last), "making an event"))
    ok(cudaMemset(from, 1, bytes), "filling what is copied");
  for (int i = 0; i < kTimes && why_.empty(); ++i) {
    flush();
    wait_clocks<<<1, 1>>>((long long)(clocks_per_second_ * 2e-5));
    ok(cudaEventRecord(first), "recording an event");
    if (i % 2)
      copy_wide<<<unsigned((count + kBlock - 1) / kBlock), kBlock>>>(static_cast<uint4*>(from), static_cast<uint4*>(to),
                                                                     count);
    else
      ok(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copying");
    ok(cudaEventRecord(last), "recording an event");
    float milliseconds = 0;
    if (ok(cudaDeviceSynchronize(), "copying") &&
        ok(cudaEventElapsedTime(&milliseconds, first, last), "reading a time"))
      if (milliseconds > 0 && (best == 0 || milliseconds * 1e-3 < best)) best = milliseconds * 1e-3;
  }
  if (first) cudaEventDestroy(first);
  if (last) cudaEventDestroy(last);
  Answer done = answer();
  done.bytes = 2 * bytes;
  done.seconds = best;
  return done;
}

inline void Worker::clear() {
  for (void* memory : allocated_) cudaFree(memory);
  for (cudaEvent_t event : events_) cudaEventDestroy(event);
  allocated_.clear(), events_.clear(), arguments_.clear(), words_.clear();
  for (auto& answers : answers_) answers.clear();
  bytes_ = 0, flush_bytes_ = 0, seed_count_ = 0, found_ = nullptr, flush_ = nullptr;
  run_seconds_ = reference_seconds_ = 0;
  why_.clear();
}

// --- orders --------------------------------------------------------------------------------------------------------

inline bool read_all(int from, void* to, size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = read(from, at, bytes);
    if (got <= 0) return false;
    at += got, bytes -= size_t(got);
  }
  return true;
}
inline bool write_all(int to, const void* from, size_t bytes) {
  for (const char* at = static_cast<const char*>(from); bytes > 0;) {
    const ssize_t put = write(to, at, bytes);
    if (put <= 0) return false;
    at += put, bytes -= size_t(put);
  }
  return true;
}

// Answers orders until End, or until there are none. With a script the exit code says whether all went well.
inline int serve(int orders, bool script) {
  Worker worker;
  Order order;
  bool good = true;
  while (read_all(orders, &order, sizeof order) && order.kind != OrderKind::End) {
    Answer answer;
    std::vector<Run> runs;
    if (order.kind == OrderKind::Prepare) {
      if (order.arguments > kMostArguments) return 125;
      std::vector<Argument> arguments(order.arguments);
      if (!read_all(orders, arguments.data(), arguments.size() * sizeof(Argument))) return 125;
      answer = worker.prepare(order, arguments);
    } else if (order.kind == OrderKind::Round) {
      answer = worker.round(order, runs);
    } else {
      answer = worker.copy(order);
    }
    if (script) {
      good = good && answer.ok;
      if (!answer.ok) std::fprintf(stderr, "%s\n", answer.why);
      for (const Run& run : runs) {
        good = good && run.fault == Fault::None;
        if (run.fault != Fault::None)
          std::fprintf(stderr, "argument %u is wrong at element %llu\n", run.argument, (unsigned long long)run.first);
      }
    } else if (!write_all(orders, &answer, sizeof answer) ||
               !write_all(orders, runs.data(), answer.runs * sizeof(Run))) {
      return 125;
    }
  }
  worker.clear();
  return good ? 0 : 1;
}

}  // namespace warpwise::bench_worker

int main() {
  using namespace warpwise::bench_worker;
  if (const char* script = std::getenv(kScriptVariable)) {
    std::FILE* file = std::fopen(script, "rb");
    if (!file) return 125;
    const int code = serve(fileno(file), true);
    std::fclose(file);
    return code;
  }
  const char* descriptor = std::getenv(kDescriptorVariable);
  return descriptor ? serve(std::atoi(descriptor), false) : 125;
}

#endif
