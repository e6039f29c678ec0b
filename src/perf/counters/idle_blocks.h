// Blocks at the end of a grid that have no work: more threads were launched than there are elements.
//
//     grid of 16384 blocks for the work of 4096:    | 4096 blocks that work | 12288 that compare an index and end |
//
// The GPU begins with the blocks that work, and launches the others when places become free. So these take time of
// their own, and the average of all blocks is no block's work.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "simt/instrument/counts.h"

namespace warpwise::perf {

// A block that has written nothing.
struct SilentBlock {
  uint64_t block = 0, instructions = 0;  // of its warps
  simt::WarpWork longest, all;           // its longest warp, and all of them
  unsigned stratum = 0;                  // of the sample
};

// The counted blocks of a host thread.
class BlockLog {
 public:
  void add(const SilentBlock& block, bool writes);

  std::vector<SilentBlock> silent;
  uint64_t writing = 0, instructions = 0, last_writing = 0;  // blocks that write, theirs, and the last one
};

struct IdleBlocks {
  uint64_t blocks = 0;               // at the end of the grid
  std::vector<SilentBlock> counted;  // those of them that were
};

// `blocks`: of the grid. A block is idle that writes nothing and runs less than half as long as those that write.
IdleBlocks idle_blocks(std::span<const BlockLog* const> logs, uint64_t blocks);

}  // namespace warpwise::perf
