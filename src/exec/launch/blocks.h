// Runs the blocks of a launch on the host's threads.
//
// The calling thread always takes part, so a small launch never leaves it; helpers are woken only when
// there is work for them (waking one costs about as much as an empty kernel may take in all). Blocks are
// handed out in order. Order-sensitive kernels run on the calling thread alone, so that the same program
// gives the same bits every time (unless --fast), but for those that log their sums (logged_sums.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/result.h"
#include "exec/fibers/runner.h"
#include "exec/launch/block_run.h"
#include "exec/launch/launch_watch.h"
#include "exec/launch/privatised_sums.h"
#include "exec/launch/simt_blocks.h"

namespace warpwise::exec {

class BlockScheduler {
 public:
  BlockScheduler(const Machine& machine, unsigned threads);
  ~BlockScheduler();
  BlockScheduler(const BlockScheduler&) = delete;
  BlockScheduler& operator=(const BlockScheduler&) = delete;

  // Runs all blocks. Errors are the machine's (no memory for a block); what a kernel did wrong is in
  // launch.fault(). One launch at a time.
  Result<void> run(LaunchRun& launch);
  unsigned threads() const { return threads_; }

 private:
  // What one host thread needs; worker 0 is the calling thread.
  struct Worker {
    explicit Worker(Arena& arena) : memory(arena) {}
    BlockMemory memory;                             // SIMT mode
    PrivatisedSums sums;                            // SIMT mode
    SumLog sum_log;                                 // SIMT mode
    SimtRunner::Slots waiting;                      // SIMT mode, blocks that wait for each other
    std::vector<std::unique_ptr<FiberSlot>> slots;  // where threads or warps are fibers
    std::thread thread;
  };

  void start_helpers();
  void helper(unsigned index);
  void work(LaunchRun& launch, Worker& worker);
  void work_simt(LaunchRun& launch, Worker& worker);
  void work_waiting(LaunchRun& launch, Worker& worker);
  void work_independent(LaunchRun& launch, Worker& worker);
  void run_pilot(LaunchRun& launch);
  void note(const Error& error);

  const unsigned threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t chunk_ = 1;
  uint64_t residents_per_worker_ = 1;

  LogPool log_pool_;  // of logs of sums
  LaunchWatch watch_;

  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  LaunchRun* current_ = nullptr;  // for helpers
  uint64_t generation_ = 0;       // of current_
  unsigned busy_ = 0;             // helpers that work on it
  bool stop_ = false;
  std::optional<Error> error_;
};

}  // namespace warpwise::exec
