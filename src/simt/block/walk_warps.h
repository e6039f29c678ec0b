// One function runs a whole block: the walk over its warps, region by region (split_at_barriers.h).
#pragma once

#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/Function.h>

#include <string>
#include <vector>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// A region returns the resume point that it reached, 1 for the first barrier, or kRegionsDone.
constexpr uint32_t kRegionsDone = ~uint32_t{0} >> 2;

// The code from one resume point to the next barriers:
// i32 @region(ptr block, i32 warp, ptr frame, ptr common, ptr next).
struct BlockRegion {
  llvm::Function* function = nullptr;
  llvm::Function* head =
      nullptr;            // void @head(ptr block, ptr common, i1 all), run before the warps (hoist_block_reads.h)
  unsigned warps = 1;     // how many it runs at once
  bool unrolled = false;  // laid out once for each warp or group of interleaved warps, whose number is then a constant
  bool may_rest = false;  // its answer may have kIdleRegion set (skip_idle_warps.h)
  llvm::SmallSet<uint32_t, 4> ends;  // what it can return, but for kIdleRegion
};

struct Regions {
  std::vector<BlockRegion> regions;  // [0] starts the kernel, [k] resumes behind barrier k
  uint64_t frame_bytes = 0;          // what one warp keeps across barriers
  // All warps end each region at the same place. Then what is the same for all warps is kept once, in
  // `common`, of which a region reads the old and writes the new contents.
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

// Calls each region once, or as often as it is laid out; the caller inlines them.
BlockFunction make_block_function(llvm::Module& module, llvm::DISubprogram* program, const Regions& regions,
                                  const BlockShape& block, llvm::StringRef name);

}  // namespace warpwise::simt
