// Whether threads meet where they must: beside what observe() does, for kWatchBarriers.
//
// Lanes that meet by mask say so (EventKind::Meeting), and so does whoever passes a *join* (EventKind::Reconvergence):
// a place that is reached with or without having met. Two kinds of place are joins of a meeting:
//
//     if (c) __syncthreads();          the first place behind it that the meeting does not dominate
//     J: ...
//
//     for (i = 0; i < n; ++i) __syncthreads();
//     J: ...                           the first place behind each loop around it
//
// A thread that goes past a join has not returned, it has left out what others wait for. Where the join is the end of
// the kernel the two look alike: such joins of barriers are told as ReconvergenceOf::End, and the checker looks into
// the source.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

void insert_sync_events(llvm::Function& function);

}  // namespace warpwise::simt
