// Redundant-event elimination: synchronisation events (insert_sync_events.h) that cannot report anything.
//
// If all threads of a block take the same path to each barrier and each reconvergence point behind one, they have
// passed equally many barriers whenever they pass such a place. If every warp collective names all lanes of a warp and
// all of them arrive, no lane is missing. For most kernels the code of a warp shows both, and then no events are needed
// at run time.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/analysis/block_uniformity.h"

namespace warpwise::simt {

struct RedundantEvents {
  bool barriers = false;  // if, besides, all warps end each region at the same place (split_at_barriers.h)
  bool masks = false;
};

// `warp_function` runs a warp; `uniform` says what is the same for all warps of the block.
RedundantEvents find_redundant_events(llvm::Function& warp_function, const BlockUniformity& uniform);

void drop_redundant_events(llvm::Function& region, const RedundantEvents& redundant);

}  // namespace warpwise::simt
