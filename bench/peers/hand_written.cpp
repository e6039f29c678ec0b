// The warps of bench/hand on two host threads: blocks are handed out in order, in chunks.
#include "peers/competitor.h"

#if !WARPWISE_BENCH_AVX512

namespace warpwise::bench {
std::unique_ptr<Competitor> open_hand_written() { return nullptr; }
}  // namespace warpwise::bench

#else
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace warpwise::bench {

#define CASE(name) void hand_##name(const Launch&, uint64_t first, uint64_t last);
#include "cases/cases.inc"
#undef CASE

namespace {

HandWritten find_function(const std::string& kernel) {
#define CASE(name) \
  if (kernel == #name) return hand_##name;
#include "cases/cases.inc"
#undef CASE
  give_up("there is no hand-written " + kernel);
}

// The caller and its helpers take chunks of blocks until none is left.
class Crew {
 public:
  Crew() {
    for (unsigned i = 1; i < kThreads; ++i) helpers_.emplace_back([this] { help(); });
  }
  ~Crew() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }
  void run(HandWritten function, const Launch& launch) {
    {
      std::lock_guard lock(mutex_);
      function_ = function, launch_ = &launch, next_ = 0;
      busy_ = kThreads - 1;
      ++generation_;
    }
    wake_.notify_all();
    work(function, launch);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return busy_ == 0; });
  }

 private:
  void work(HandWritten function, const Launch& launch) {
    uint64_t blocks = launch.grid.count(), chunk = std::max<uint64_t>(blocks / (kThreads * 32), 1);
    for (uint64_t first; (first = next_.fetch_add(chunk)) < blocks;)
      function(launch, first, std::min(first + chunk, blocks));
  }
  void help() {
    uint64_t done = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return stop_ || generation_ != done; });
      if (stop_) return;
      done = generation_;
      HandWritten function = function_;
      const Launch& launch = *launch_;
      lock.unlock();
      work(function, launch);
      lock.lock();
      if (--busy_ == 0) finished_.notify_all();
    }
  }

  std::vector<std::thread> helpers_;
  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  std::atomic<uint64_t> next_{0};
  HandWritten function_ = nullptr;
  const Launch* launch_ = nullptr;
  uint64_t generation_ = 0;
  unsigned busy_ = 0;
  bool stop_ = false;
};

// Memory in large pages, where the system gives them, as Warpwise's device memory is.
class Buffer {
 public:
  explicit Buffer(const Bytes& content) : size_(content.size()) {
    constexpr size_t kLargePage = 2 << 20;
    data_ = std::aligned_alloc(kLargePage, (size_ + kLargePage - 1) / kLargePage * kLargePage);
    if (!data_) give_up("out of memory");
    madvise(data_, size_, MADV_HUGEPAGE);
    std::memcpy(data_, content.data(), size_);
  }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  ~Buffer() { std::free(data_); }
  void* data() const { return data_; }
  Bytes content() const {
    auto* bytes = static_cast<const std::byte*>(data_);
    return Bytes(bytes, bytes + size_);
  }

 private:
  void* data_;
  size_t size_;
};

class OnCrew : public Prepared {
 public:
  OnCrew(Crew& crew, HandWritten function, const Case& the_case)
      : crew_(crew),
        function_(function),
        output_(the_case.output),
        buffers_(the_case.buffers.begin(), the_case.buffers.end()),
        arguments_(addresses(), the_case.scalars),
        launch_{the_case.grid, the_case.block, arguments_.places()} {}
  void run() override { crew_.run(function_, launch_); }
  Bytes output() override { return buffers_[output_].content(); }

 private:
  std::vector<void*> addresses() const {
    std::vector<void*> result;
    for (const Buffer& buffer : buffers_) result.push_back(buffer.data());
    return result;
  }

  Crew& crew_;
  HandWritten function_;
  size_t output_;
  std::vector<Buffer> buffers_;
  Arguments arguments_;
  Launch launch_;
};

class ByHand : public Competitor {
 public:
  std::string name() const override { return "by hand"; }
  std::string description() const override {
    return fmt::format("warps in AVX-512 intrinsics, g++ {} -O3 -march=native", __VERSION__);
  }
  std::unique_ptr<Prepared> prepare(const std::string& kernel, const Case& the_case) override {
    return std::make_unique<OnCrew>(crew_, find_function(kernel), the_case);
  }

 private:
  Crew crew_;
};

}  // namespace

std::unique_ptr<Competitor> open_hand_written() { return std::make_unique<ByHand>(); }

}  // namespace warpwise::bench

#endif
