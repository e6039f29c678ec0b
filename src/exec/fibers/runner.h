// The clusters that one host thread runs at a time, in independent-warp and independent-thread mode.
//
// One cluster runs as long as its threads make progress. When all of them have only yielded for a whole turn, the
// cluster may be waiting for another one, and a further one is admitted, up to what the device would hold (occupancy).
// Cooperative launches admit all. cluster_slots.h says which one comes next.
#pragma once

#include "exec/fibers/cluster.h"

namespace warpwise::exec {

class FiberRunner {
 public:
  using Slots = FiberCluster::Slots;

  // `slots` grows as blocks are admitted; the caller may keep it for the next launch.
  FiberRunner(LaunchRun& launch, KernelGuard& guard, Slots& slots, uint64_t resident_blocks);
  // Runs clusters until the launch has none left; under the guard.
  void run();
  // The block that was running when the guard was left.
  const BlockRun* current() const { return current_ ? current_->current() : nullptr; }
  void left() {
    if (current_) current_->left();
  }
  std::optional<Error> error() const { return error_; }

 private:
  // After so many rounds without progress, the clusters that run are taken to wait for one that has not started.
  static constexpr uint32_t kPatience = 256;

  std::optional<uint64_t> next_cluster();
  bool admit();

  LaunchRun& launch_;
  KernelGuard& guard_;
  Slots& slots_;
  const uint64_t cluster_size_, resident_clusters_;
  std::vector<std::unique_ptr<FiberCluster>> clusters_;  // restarted when they have ended
  std::vector<size_t> idle_;                             // indices of clusters_
  std::vector<size_t> running_;
  std::vector<uint64_t> ended_;  // numbers of clusters whose slot may have others
  uint32_t fruitless_ = 0;       // rounds without progress, in a row
  FiberCluster* current_ = nullptr;
  std::optional<Error> error_;
};

}  // namespace warpwise::exec
