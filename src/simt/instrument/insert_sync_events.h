// Events for synchronisation errors: do all threads arrive where they must? Beside insert_checks(), for kWatchBarriers.
//
// Lanes report a warp collective (event::Collective), and threads report when they pass a
// reconvergence point (event::Reconvergence): a place that is reached with or without having passed a barrier or
// collective. Two kinds of place are reconvergence points of an operation:
//
//     if (c) __syncthreads();          the first place behind it that the operation does not dominate
//     J: ...
//
//     for (i = 0; i < n; ++i) __syncthreads();
//     J: ...                           the first place behind each loop around it
//
// A thread that passes such a point without the operation has not returned: it has left out what others wait for. Where
// the point is the end of the kernel, the two cases look alike. Such reconvergence points of barriers are reported as
// Reconvergence::Of::End, and the checker consults the source.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void insert_sync_events(llvm::Function& function);

}  // namespace warpwise::simt
