// Between two synchronisations a warp does not see what other warps of its block store: the one rule for unordered
// accesses (docs/internals/unordered_accesses.md).
//
//     x[i] += a[i];                    // blocks of 32 x 8 threads, i = threadIdx.x: eight warps have the same words
//
// Hardware issues the loads of all warps long before the first store. Warps that run one after the other would add
// eight times. Any order of unordered accesses is legal, and this one is what hardware does, as far as the text allows:
// every warp behaves as if it issued its loads before any other warp's conflicting store. `check` still reports the
// race.
//
// A store that another warp's load may conflict with in the same phase (the code between two barriers) is *deferred*:
// an event before it (event::DeferStore) notes what was there. When the warp has run its phase, the engine puts the
// old bytes back, and when all warps have, it applies the deferred stores in the order of the warps
// (exec/launch/deferred_stores.h). Operations that order accesses (atomics, volatile accesses, fences) make the warp's
// earlier stores visible at once (event::CommitStores).
//
// Race-free programs have no such stores. Where that can be proved (analysis/thread_conflicts.h) nothing is inserted.
//
// Alternatives tried and dropped: a barrier between the load and the store (costs a region for each pair, and needs a
// limit on their number, which would decide the result), hoisting the loads (the same limit).
//
// Threads that run one at a time (independent-thread mode) also keep the order in which the lanes of a warp execute
// their instructions: they stop before accesses that another lane's may conflict with until all lanes have come as far
// (ww.lane_order).
#pragma once

#include <llvm/IR/Module.h>

#include "simt/analysis/lane_shapes.h"
#include "simt/launch_assumptions.h"

namespace warpwise::simt {

struct DeferredStores {
  bool any = false;
  LaunchAssumptions assumed;  // by the proof for all others
};

// Inserts the events. `kernel` is tidy (tidy_control_flow.h); `module` holds the functions that it calls, whose stores
// are all deferred.
DeferredStores defer_stores(llvm::Module& module, llvm::Function& kernel, const BlockShape& block,
                            const MayAssume& may_assume);

// For independent-thread mode: ww.lane_order before accesses that another lane of the warp may conflict with. Returns
// what the proof for all others assumes.
LaunchAssumptions order_lanes(llvm::Module& module, llvm::Function& kernel, const BlockShape& block,
                              const MayAssume& may_assume);

}  // namespace warpwise::simt
