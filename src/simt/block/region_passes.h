// From the program of a warp to the program of a block: the passes over regions, in their order.
//
//     void @kernel.warp(ptr block, i32 warp)   →   regions between barriers   →   void @name(ptr block)
//
// split_at_barriers.h says what a region is, walk_warps.h how regions become one function.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

#include "base/result.h"
#include "simt/analysis/lane_shapes.h"
#include "simt/block/walk_warps.h"
#include "simt/pass_runner.h"

namespace warpwise::simt {

struct RegionOptions {
  uint32_t watch = 0;  // what the code checks (events.h): events that the cut into regions makes redundant are left out
  bool defers = false;        // some store is deferred (scalar/defer_stores.h)
  bool as_scheduled = false;  // warps run in the order of BlockContext::warp_order, one at a time
};

// Deletes the warp function. Error X0001: a pass left broken code.
Result<BlockFunction> run_region_passes(llvm::Function& warp_function, const BlockShape& block, llvm::StringRef name,
                                        const RegionOptions& options, PassRunner& passes);

}  // namespace warpwise::simt
