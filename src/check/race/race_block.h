// A block that runs, as the race checker knows it, and the blocks that are under way.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "check/race/async_copies.h"
#include "check/race/block_epochs.h"
#include "check/race/race_access.h"
#include "check/race/race_clocks.h"
#include "check/race/race_numbers.h"
#include "check/race/reported_stores.h"
#include "exec/launch/block_run.h"
#include "exec/observer_clients.h"

namespace warpwise::check {

// The last access that a warp of another block of the cluster has made to a block's shared memory.
struct ClusterVisit {
  RaceAccess access;
  device::Address address = 0;
  uint8_t bytes = 0;
};

struct RaceBlock final : exec::ObservedBlock {
  uint64_t index = 0;          // linear, in the grid
  device::Address shared = 0;  // its shared memory; no bytes once the launch has ended
  uint64_t shared_bytes = 0;
  BlockClocks clocks;
  BlockEpochs epochs;
  AsyncCopies copies;
  ReportedStores stores;
  std::map<std::pair<Serial, unsigned>, ClusterVisit> visits;  // by block and warp
  Serial launch = 0;                                           // the first block of the launch that `epochs` are of
  RaceNumbers* shared_numbers = nullptr;  // of its shared memory, where only its host thread uses that; else null

  // Null while races are not checked.
  static RaceBlock* of(const exec::BlockRun& run) { return static_cast<RaceBlock*>(run.observed); }
};

// In independent-thread mode several blocks are under way at once: those that wait for each other. A host thread uses
// one BlockRun for block after block.
class RaceBlocks {
 public:
  // The block that `run` is about to run, or the one that it ran last, to be made into it.
  RaceBlock& of(const exec::BlockRun& run) {
    std::unique_ptr<RaceBlock>& block = blocks_[&run];
    if (!block) block = std::make_unique<RaceBlock>();
    return *block;
  }
  bool is_under_way(Serial serial) const {
    for (const auto& [run, block] : blocks_)
      if (block->clocks.serial == serial) return true;
    return false;
  }
  // The block whose shared memory has this address; null: there is none.
  RaceBlock* with_shared(device::Address address) {
    for (const auto& [run, block] : blocks_)
      if (address - block->shared < block->shared_bytes) return block.get();
    return nullptr;
  }
  template <class F>
  void for_each(F f) {
    for (const auto& [run, block] : blocks_) f(*block);
  }

 private:
  std::map<const exec::BlockRun*, std::unique_ptr<RaceBlock>> blocks_;
};

// A thread's own local memory, reached by a generic address.
inline bool is_own_local(const simt::BlockContext& block, device::Address address) {
  const uint64_t threads = uint64_t{block.ntid[0]} * block.ntid[1] * block.ntid[2];
  return address - (block.local - simt::kAliasOffset) < threads * block.local_stride;
}
inline bool is_own_shared(const simt::BlockContext& block, device::Address address) {
  return address - (block.shared - simt::kAliasOffset) < block.total_shared_bytes;
}

}  // namespace warpwise::check
