// Which clusters of a launch start by themselves, and which ones others take over (clusterlaunchcontrol, PTX
// ISA 9.7.13.17).
//
// Hardware starts as many clusters as it can hold. Each of them may ask for one that has not started and do its work,
// too; that one then never starts. Clusters that are never asked for start when there is room. On hardware it depends
// on timing which cluster gets which. Here it depends neither on the order in which blocks run nor on the number of
// host threads: clusters are dealt to slots like cards.
//
//     slot 0    0  3  6  9      The first of each slot starts. It gets those behind it, one each time it asks.
//     slot 1    1  4  7         When it has ended, the next one that is left starts in its place.
//     slot 2    2  5  8
//
// There are as many slots as the device holds clusters, but half as many as there are clusters at most: a small grid,
// all of which would start at once on hardware, shall show what its kernel does with a cluster that it was given. Only
// where every block that runs waits for one that does not are clusters started out of turn, in the next place of a slot
// (runner.cpp). Kernels that never ask have a slot for each cluster.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "exec/engine.h"

namespace warpwise::exec {

// Thread-safe. Clusters are numbered in the order of the schedule.
class ClusterSlots {
 public:
  // `cancels_clusters`: the kernel asks for clusters. `first`: where it does not, those before this one have run.
  ClusterSlots(const KernelLaunch& launch, bool cancels_clusters, uint64_t first = 0)
      : clusters_(launch.grid.count() / launch.cluster.count()),
        slots_(cancels_clusters ? slots_of(launch, clusters_) : clusters_),
        opened_(first),
        next_(slots_ < clusters_ ? slots_ : 0) {}

  // The first cluster of a slot that is not open yet; nothing: all are open.
  std::optional<uint64_t> open() {
    const uint64_t slot =
        opened_.load(std::memory_order_relaxed) < slots_ ? opened_.fetch_add(1, std::memory_order_relaxed) : slots_;
    return slot < slots_ ? std::optional(slot) : std::nullopt;
  }
  // The next one of the slot that `cluster` is in; nothing: it was the last one.
  std::optional<uint64_t> next_of(uint64_t cluster) {
    if (next_.empty()) return std::nullopt;
    const uint64_t slot = cluster % slots_;
    const uint64_t next = slot + slots_ * (1 + next_[slot].fetch_add(1, std::memory_order_relaxed));
    return next < clusters_ ? std::optional(next) : std::nullopt;
  }

 private:
  static uint64_t slots_of(const KernelLaunch& launch, uint64_t clusters) {
    if (launch.cooperative) return clusters;  // all of them wait for all
    const uint64_t held = std::max<uint64_t>(launch.resident_blocks / launch.cluster.count(), 1);
    return std::min(held, (clusters + 1) / 2);
  }

  const uint64_t clusters_, slots_;
  std::atomic<uint64_t> opened_;
  std::vector<std::atomic<uint64_t>>
      next_;  // by slot: how many were taken behind the first one; empty: every slot is of one cluster
};

}  // namespace warpwise::exec
