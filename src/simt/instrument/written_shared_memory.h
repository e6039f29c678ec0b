// Accesses of shared memory whose shadow is known when the code is compiled: they lie in a variable of the kernel, they
// are aligned, and each thread of the block has written its part of that variable behind an earlier barrier.
//
//     part[t] = most;                           // every thread comes here
//     __syncthreads();
//     for (int offset = 128; offset > 0; offset /= 2) {
//       if (t < offset) part[t] = fmaxf(part[t], part[t + offset]);     // 0 <= t + offset < 256, all of it written
//       __syncthreads();
//     }
//
// Trees and scans look at the shadow in each of their turns otherwise, which costs as much as the turn.
//
// Addresses are those of AffineValues, in a loop over barriers those of each turn (analysis/barrier_loops.h). The proof
// rests on no assumption about the launch. It does not follow copies: what a thread copies may be uninitialised, which
// is then known when the kernel runs (ShadowCheck::written).
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/lane_shapes.h"
#include "simt/instrument/shadow.h"

namespace warpwise::simt {

// Loads, stores and atomics of the shared address space whose shadow has all bits set whenever they are executed, if
// whatever has written to shared memory until then has left it initialised. `variables`: those of the kernel, in static
// shared memory.
llvm::DenseSet<const llvm::Instruction*> accesses_of_written_shared_memory(llvm::Function& kernel,
                                                                           const BlockShape& block,
                                                                           llvm::ArrayRef<SharedBytes> variables);

}  // namespace warpwise::simt
