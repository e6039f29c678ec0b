// C0211: a block uses the shared memory of another block of its cluster, which is gone when that block is.
//
//     cluster.sync();
//     y = cluster.map_shared_rank(s, 1)[i];      block 1 may have ended, unless it waits for this
//
// An access is in order when some thread of the block that is visited comes after it. Of each warp the last access
// counts: a thread that comes after it comes after all of them.
#pragma once

#include "check/race/race_block.h"
#include "check/race/race_clocks.h"
#include "check/race/race_reporter.h"

namespace warpwise::check {

class ClusterRaces {
 public:
  ClusterRaces(RaceBlocks& blocks, const RaceClocks& clocks, RaceReporter& reporter)
      : blocks_(blocks), clocks_(clocks), reporter_(reporter) {}

  // An access by a thread of `visitor` to shared memory, of its own block or of another.
  void follow(const RaceBlock& visitor, const RaceAccess& access, device::Address address, uint8_t bytes);
  // A block has run, and its shared memory is gone.
  void block_ends(const exec::KernelLaunch& launch, RaceBlock& block);

 private:
  RaceBlocks& blocks_;
  const RaceClocks& clocks_;
  RaceReporter& reporter_;
};

}  // namespace warpwise::check
