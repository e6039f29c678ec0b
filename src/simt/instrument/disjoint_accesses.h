// Accesses of shared memory that touch only bytes which no other thread touches between the same two barriers.
//
//     part[t] = x;                                  // each thread has a word of its own
//     __syncthreads();
//     for (int offset = 128; offset > 0; offset /= 2) {
//       if (t < offset) part[t] += part[t + offset];    // in each turn, what is written is no other thread's to read
//       __syncthreads();
//     }
//
// They can race with nothing, and need no check if all warps of the block wait at those barriers: that is known when
// regions are cut (instrument/redundant_race_checks.h). Trees, scans and the filling of tiles are of this kind.
//
// The proof is ThreadConflicts', asked of any two threads. It rests on no assumption about the launch.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// Those of a kernel's loads, stores and atomics of the shared address space. Shared memory is taken to have no other
// name.
llvm::DenseSet<const llvm::Instruction*> disjoint_shared_accesses(llvm::Function& kernel, const BlockShape& block);

}  // namespace warpwise::simt
