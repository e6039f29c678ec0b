// Kernels that are being compiled, on threads of their own, while the program goes on.
//
//     auto made = threads.begin([=] { return compiler->compile(*module, kernel, options); });
//     made->is_done()      cheap enough to ask at each turn of an interpreter
//     threads.wait(made)   for what cannot go on without it
//
// A compilation keeps all that it works on, so neither the engine nor the module has to wait for its end.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "simt/compiler.h"

namespace warpwise::exec {

class Compilation {
 public:
  using Made = Result<simt::CompiledKernel>;
  explicit Compilation(std::function<Made()> compile) : compile_(std::move(compile)) {}

  bool is_done() const { return done_.load(std::memory_order_acquire); }
  // Whether it is done before the time is up.
  bool wait_for(std::chrono::milliseconds time);
  void wait();
  // Once, when it is done.
  Made take() { return std::move(*made_); }
  // The processor time that it took, when it is done.
  uint64_t nanoseconds() const { return nanoseconds_; }

 private:
  friend class CompileThreads;
  void run();

  std::function<Made()> compile_;
  std::optional<Made> made_;
  uint64_t nanoseconds_ = 0;
  std::atomic<bool> done_{false};
  std::mutex mutex_;
  std::condition_variable ended_;
};

class CompileThreads {
 public:
  // At most so many kernels are compiled at once, and those that a launch waits for.
  explicit CompileThreads(unsigned most);
  // Drops what has not begun. What has begun goes on, for the cache alone.
  ~CompileThreads();
  CompileThreads(const CompileThreads&) = delete;
  CompileThreads& operator=(const CompileThreads&) = delete;

  std::shared_ptr<Compilation> begin(std::function<Compilation::Made()> compile);
  // Ends when it is done. It does not stay behind others in the queue.
  void wait(const std::shared_ptr<Compilation>& compilation);

 private:
  struct Queue {
    std::mutex mutex;
    std::deque<std::shared_ptr<Compilation>> waiting;
    unsigned threads = 0;
  };
  // What a thread does: `next`, and then what waits. Counted in `threads`.
  struct Worker {
    std::shared_ptr<Queue> queue;
    std::shared_ptr<Compilation> next;
    Worker(std::shared_ptr<Queue> queue, std::shared_ptr<Compilation> next)
        : queue(std::move(queue)), next(std::move(next)) {}
    void run();
  };
  void start_thread(std::shared_ptr<Compilation> first);

  const unsigned most_;
  const std::shared_ptr<Queue> queue_ = std::make_shared<Queue>();
};

}  // namespace warpwise::exec
