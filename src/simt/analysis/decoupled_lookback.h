// Loops in which threads of a block wait for blocks of smaller numbers: decoupled look-back with a row of cells per
// block.
//
//     number = atomicAdd(tickets, 1);                                by one thread, told to the others in shared memory
//     cells[number * 256 + threadIdx.x] = partial sum;
//     for (before = number - 1; before >= 0; --before)
//       while ((value = cells[before * 256 + threadIdx.x]) == 0) {}     ◄── the wait
//     cells[number * 256 + threadIdx.x] = sum of all before;
//
// All threads wait here, in warps that run one after the other, and all of them have something to tell others later.
// That is no danger as long as nobody waits in a circle: whatever a block waits for lies below everything that it
// writes itself until its next barrier, so a block waits for blocks of smaller numbers alone, and of the blocks that
// wait the one with the smallest number can always go on. (CUB's radix sort is of this kind.)
//
// That addresses are below one another is found by taking them apart into  number * pitch + f(threadIdx) + constant and
// by trying f for each thread of the block. It is taken for granted that such an index does not wrap, that different
// pointers among a kernel's parameters point to different memory, and that no thread overwrites the word of shared
// memory in which the others read the number without a barrier between them, which would be a race.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// `waiting`: the threads that can reach the loop; `written[t]`: what thread t can write between the barriers around it.
bool waits_for_smaller_numbers(const llvm::Loop& loop, const BlockShape& block, const llvm::BitVector& waiting,
                               llvm::ArrayRef<llvm::SmallPtrSet<llvm::Instruction*, 8>> written);

}  // namespace warpwise::simt
