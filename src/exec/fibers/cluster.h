// The blocks of a cluster in independent-warp and independent-thread mode. One host thread runs them in turns. They
// reach each other's shared memory and wait for each other at barrier.cluster. A launch without clusters is one of
// clusters of one block.
//
// Threads that sleep at an mbarrier are woken when its phase ends. mbarrier.try_wait may also give up: after a turn
// without progress, or after many turns, the threads are woken with "no" and may try again or do something else. If
// that happens again and again while all other threads wait, the cluster is in a deadlock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/fibers/thread_block.h"

namespace warpwise::exec {

class FiberCluster {
 public:
  using Slots = std::vector<std::unique_ptr<FiberSlot>>;

  // A cluster's blocks use `slots` from `first_slot` on; they are made when they are missing.
  FiberCluster(LaunchRun& launch, KernelGuard& guard, Slots& slots, size_t first_slot);

  // Starts the cluster whose blocks stand at `place` and after it in the schedule.
  Result<void> start(uint64_t place);
  // Gives every block a turn. Fails when no thread can go on.
  void turn();
  bool finished() const;
  // Whether any thread did more than yield in the last turn.
  bool progressed() const { return progressed_; }
  // The block that runs, or ran when the guard was left.
  const BlockRun* current() const { return current_; }
  // After a jump out of the kernel, which may have left a fiber of that block.
  void left();

  uint32_t size() const { return static_cast<uint32_t>(blocks_.size()); }
  BlockRun& block(uint32_t rank) { return blocks_[rank]->run(); }

  // --- called by the services ---
  void phase_ended(uint64_t mbarrier);  // a generic address
  // A thread that asks in vain and then does something else is in no deadlock.
  void mbarrier_changed() { fruitless_ = 0; }
  void arrive(FiberThread& thread);  // barrier.cluster.arrive
  void wait(FiberThread& thread);    // barrier.cluster.wait
  void thread_exited(const FiberThread& thread);
  void columns_changed();  // of tensor memory: some are free now, or taken for a pair

 private:
  // So many rounds in which all threads wait and every try_wait gives up are a deadlock.
  static constexpr uint32_t kPatience = 64;
  // Turns after which sleeping threads are woken although others make progress.
  static constexpr uint32_t kLongSleep = 4096;

  void complete_if_all_arrived();
  bool any_ready() const;
  [[noreturn]] void report_deadlock();

  std::vector<std::unique_ptr<FiberBlock>> blocks_;  // by rank
  BlockRun* current_ = nullptr;
  bool progressed_ = false;
  uint32_t fruitless_ = 0, turns_ = 0;
  uint32_t live_ = 0, arrived_ = 0;  // threads, of barrier.cluster's current phase
  uint32_t phase_ = 0;
};

}  // namespace warpwise::exec
