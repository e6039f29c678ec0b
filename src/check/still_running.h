// A line for the user whose kernel does not end: "warpwise: still in kernel `k`, spin.cu:2, after 10 s".
//
// Checked programs run without a time limit, since a kernel under checkers may take long. Where standard error is a
// terminal, a thread checks the launch that runs once a second. After 10 s, and again whenever the time has doubled,
// it asks the host thread that runs the kernel for its program counter, by a signal, and prints where that is.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "exec/loading/loaded_kernel.h"
#include "exec/observer.h"

namespace warpwise::check {

class StillRunning : public exec::ObserverClient, public exec::LaunchObserver {
 public:
  // Whether there is a user to read the line.
  static bool is_of_use();

  ~StillRunning() override;

  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch& launch) override;
  void block_begins(exec::BlockRun& run) override;

 private:
  using Clock = std::chrono::steady_clock;

  void wait_and_report();
  void report(std::chrono::seconds since) const;

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  bool quit_ = false;
  // Of the launch that runs; null between launches.
  const exec::KernelLaunch* launch_ = nullptr;
  const exec::LoadedKernel* kernel_ = nullptr;  // its code, which outlives it; a block of it is on `runner_`
  pthread_t runner_ = {};                       // the host thread of its last block
  Clock::time_point begin_;
  std::chrono::seconds next_{0};  // after so long the next line is due
};

}  // namespace warpwise::check
