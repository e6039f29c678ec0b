// Notices of meetings (insert_sync_events.h) that can tell nobody anything new.
//
// Where all threads of a block take the same way to each barrier and each place behind one, they have been at as many
// barriers whenever they pass such a place. Where every operation by mask names all lanes of a warp and finds them
// there, nobody is missed. Both are plain to see in the code of a warp, for most kernels, and then nothing needs to be
// told while it runs.
#pragma once

#include <llvm/IR/Function.h>

#include "simt/analysis/block_uniformity.h"

namespace warpwise::simt {

struct RedundantEvents {
  bool barriers = false;  // if, besides, all warps end each region at the same place (split_at_barriers.h)
  bool masks = false;
};

// `warp_function` runs a warp; `uniform` tells what is the same for all of the block's.
RedundantEvents find_redundant_events(llvm::Function& warp_function, const BlockUniformity& uniform);

void drop_redundant_events(llvm::Function& region, const RedundantEvents& redundant);

}  // namespace warpwise::simt
