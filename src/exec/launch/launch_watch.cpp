#include "exec/launch/launch_watch.h"

#include <algorithm>
#include <chrono>

#include "exec/fault/guard.h"

namespace warpwise::exec {
namespace {

// The time until the first check, and between checks afterwards.
constexpr std::chrono::milliseconds kInterval{20};
// After so many checks without a launch the watch thread sleeps until it is needed.
constexpr int kIdleLooks = 50;

}  // namespace

LaunchWatch::~LaunchWatch() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LaunchWatch::begin(std::function<bool()> must_stop) {
  std::lock_guard lock(mutex_);
  must_stop_ = std::move(must_stop);
  if (!thread_.joinable())
    thread_ = std::thread([this] { watch(); });
  else if (asleep_)
    wake_.notify_all();
}

void LaunchWatch::join() {
  std::lock_guard lock(mutex_);
  runners_.push_back(pthread_self());
}

void LaunchWatch::leave() {
  std::lock_guard lock(mutex_);
  std::erase_if(runners_, [](pthread_t t) { return pthread_equal(t, pthread_self()); });
}

void LaunchWatch::end() {
  std::lock_guard lock(mutex_);
  must_stop_ = nullptr;
}

void LaunchWatch::watch() {
  // The program's own threads handle its signals.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(mutex_);
  int idle = 0;
  while (!quit_) {
    if (must_stop_) {
      idle = 0;
      if (must_stop_())
        for (pthread_t t : runners_) pthread_kill(t, kLeaveSignal);
    } else if (++idle > kIdleLooks) {
      asleep_ = true;
      wake_.wait(lock, [&] { return quit_ || must_stop_; });
      asleep_ = false;
      idle = 0;
    }
    wake_.wait_for(lock, kInterval, [&] { return quit_; });
  }
}

}  // namespace warpwise::exec
