#include "exec/loading/compilation.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/processor_time.h"
#include "exec/fault/guard.h"

namespace warpwise::exec {

bool Compilation::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, time, [this] { return is_done(); });
}

void Compilation::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return is_done(); });
}

void Compilation::run() {
  const uint64_t begun = processor_nanoseconds();
  made_ = compile_();
  nanoseconds_ = processor_nanoseconds() - begun;
  compile_ = nullptr;  // what it held may be large
  {
    std::lock_guard lock(mutex_);
    done_.store(true, std::memory_order_release);
  }
  ended_.notify_all();
}

CompileThreads::CompileThreads(unsigned most) : most_(std::max(most, 1u)) {}

CompileThreads::~CompileThreads() {
  std::lock_guard lock(queue_->mutex);
  queue_->waiting.clear();
}

std::shared_ptr<Compilation> CompileThreads::begin(std::function<Compilation::Made()> compile) {
  auto compilation = std::make_shared<Compilation>(std::move(compile));
  {
    std::lock_guard lock(queue_->mutex);
    if (queue_->threads >= most_) {
      queue_->waiting.push_back(compilation);
      return compilation;
    }
    ++queue_->threads;
  }
  start_thread(compilation);
  return compilation;
}

void CompileThreads::wait(const std::shared_ptr<Compilation>& compilation) {
  bool is_queued = false;
  {
    std::lock_guard lock(queue_->mutex);
    is_queued = std::erase(queue_->waiting, compilation) != 0;
    if (is_queued) ++queue_->threads;
  }
  if (is_queued) start_thread(compilation);
  compilation->wait();
}

namespace {

// Starts a detached thread; false: there can be no more of them.
bool start_detached(void* (*body)(void*), void* argument) {
  // LLVM recurses on the nesting of code. Memory that is not accessed costs nothing.
  constexpr size_t kStackBytes = size_t{64} << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // The program's signals are for its own threads.
  sigset_t others, before;
  sigfillset(&others);
  for (int number : {kLeaveSignal, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) sigdelset(&others, number);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, body, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

void CompileThreads::start_thread(std::shared_ptr<Compilation> first) {
  auto worker = std::make_unique<Worker>(queue_, std::move(first));
  const auto body = [](void* argument) -> void* {
    std::unique_ptr<Worker>(static_cast<Worker*>(argument))->run();
    return nullptr;
  };
  if (start_detached(body, worker.get()))
    (void)worker.release();
  else
    worker->run();
}

void CompileThreads::Worker::run() {
  while (next) {
    std::exchange(next, nullptr)->run();
    std::lock_guard lock(queue->mutex);
    if (queue->waiting.empty()) {
      --queue->threads;
      return;
    }
    next = std::move(queue->waiting.front());
    queue->waiting.pop_front();
  }
}

}  // namespace warpwise::exec
