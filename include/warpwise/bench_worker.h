// One version of a ladder under measurement: makes inputs, times `solve`, compares its outputs with those of
// `reference`.
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

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "warpwise/bench_kernels.h"

// Made from the ladder's signature: calls with an argument from each word of 8 bytes.
void warpwise_call_solve(const uint64_t* arguments);
void warpwise_call_reference(const uint64_t* arguments);

namespace warpwise::bench_worker {

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

  bool allocate_arguments();
  bool make_instruments();
  bool compute_answers();
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

inline bool Worker::allocate_arguments() {
  words_.assign(arguments_.size(), 0);
  for (size_t i = 0; i < arguments_.size(); ++i) {
    words_[i] = arguments_[i].number;
    if (arguments_[i].role == Role::Number) continue;
    void* array = nullptr;
    if (!allocate(&array, size_of(i), "allocating an argument")) return false;
    words_[i] = reinterpret_cast<uint64_t>(array);
  }
  return true;
}

// What a timed run needs beside its arguments.
inline bool Worker::make_instruments() {
  void* memory = nullptr;
  if (!allocate(&memory, arguments_.size() * sizeof(Found), "allocating results")) return false;
  found_ = static_cast<Found*>(memory);
  if (!make_flush(order_.flush)) return false;
  events_.resize(2);
  for (cudaEvent_t& event : events_)
    if (!ok(cudaEventCreate(&event), "making an event")) return false;
  return true;
}

// The answers to as many seeds as there is memory for; two at least, or an old result could not be told from a new one.
inline bool Worker::compute_answers() {
  uint64_t needed = 0;
  for (size_t i = 0; i < arguments_.size(); ++i) needed += is_answer(i) ? size_of(i) : 0;
  for (unsigned seed = 0; seed < kMostSeeds; ++seed) {
    if (seed >= 2 && order_.memory && bytes_ + needed > order_.memory) break;
    answers_[seed].assign(arguments_.size(), nullptr);
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (is_answer(i) && !allocate(&answers_[seed][i], size_of(i), "allocating answers")) return false;
    seeds_[seed] = random_bits(order_.seed, seed);
    if (!compute_answer(seed)) return false;
    ++seed_count_;
  }
  return true;
}

inline Answer Worker::prepare(const Order& order, const std::vector<Argument>& arguments) {
  clear();
  order_ = order;
  arguments_ = arguments;
  if (!find_device() || !allocate_arguments()) return answer();
  if (!order.unchecked && !(make_instruments() && compute_answers())) return answer();
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

}  // namespace warpwise::bench_worker
