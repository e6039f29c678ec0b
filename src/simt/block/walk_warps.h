// One function runs a whole block: the walk over its warps, region by region (split_at_barriers.h).
#pragma once

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Function.h>

#include <string>
#include <vector>

#include "simt/analysis/lane_shapes.h"
#include "simt/block/transpose_scatters.h"

namespace warpwise::simt {

// A region returns the resume point that it reached, 1 for the first barrier, or kRegionsDone.
constexpr uint32_t kRegionsDone = ~uint32_t{0} >> 2;

// The code from one resume point to the next barriers:
// i32 @region(ptr block, i32 warp, ptr frame, ptr common, ptr next).
struct BlockRegion {
  llvm::Function* function = nullptr;
  // void @head(ptr block, ptr common, i1 all), run before the warps (hoist_block_reads.h); null: none.
  llvm::Function* head = nullptr;
  unsigned warps = 1;  // how many interleaved warps it runs
  // Laid out once for each warp, or for each group of interleaved warps, whose number is then a constant.
  bool unrolled = false;
  // Nothing in it concerns those who look for races: that the warps have met before it, they need not hear.
  bool quiet = false;
  bool may_skip = false;             // its answer may have kLaterWarpsInactive set (skip_inactive_warps.h)
  llvm::SmallSet<uint32_t, 4> ends;  // what it can return, but for kLaterWarpsInactive
  std::vector<SideBySide> scatters;  // of interleaved warps, until transpose_scatters has run
};

struct Regions {
  std::vector<BlockRegion> regions;  // [0] starts the kernel, [k] resumes behind barrier k
  uint64_t frame_bytes = 0;          // what one warp spills across barriers
  // All warps end each region at the same place. Block-uniform values are then spilled once, to `common`, of which a
  // region reads the old contents and writes the new ones.
  bool agree = true;
  struct Common {
    llvm::Type* type;
    uint64_t offset;
  };
  std::vector<Common> common;
  uint64_t common_bytes = 0;
  bool as_scheduled = false;  // warps run in the order of BlockContext::warp_order
  bool defers = false;        // some store is deferred (scalar/defer_stores.h)
  bool reduces = false;       // some barrier is a bar.red
  bool reports_barriers =
      false;  // where all warps agree: those who look for races hear of a barrier from the block (event::Barrier::Of)
};

struct BlockFunction {
  llvm::Function* function = nullptr;
  uint32_t frame_bytes = 0;  // per warp, in memory the engine provides; 0 when on the stack
};

// Whether a region is laid out once for each warp (BlockRegion::unrolled): a short straight one between barriers. It
// then knows which warp it runs, and what it keeps for the regions behind it need not go through memory.
bool is_worth_unrolling(const Regions& regions, const BlockRegion& region, const BlockShape& block);

// Makes the program of the block, void @name(ptr block), inlines the regions and their heads into it, and deletes them.
BlockFunction walk_warps(llvm::Module& module, Regions& regions, const BlockShape& block, llvm::StringRef name);

}  // namespace warpwise::simt
