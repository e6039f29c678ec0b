// Loops in which threads of a block wait for blocks of smaller numbers: decoupled look-back with a row of cells per
// block.
//
//     number = atomicAdd(tickets, 1);                                by one thread, passed to the others in shared
//     memory cells[number * 256 + threadIdx.x] = partial sum; for (before = number - 1; before >= 0; --before)
//       while ((value = cells[before * 256 + threadIdx.x]) == 0) {}     ◄── the wait
//     cells[number * 256 + threadIdx.x] = sum of all before;
//
// All threads wait here, in warps that run one after the other, and all of them publish something later. The block
// makes forward progress as long as no blocks wait in a circle. Everything that a block waits for lies below everything
// that it writes itself until its next barrier. A block therefore waits only for blocks of smaller numbers, and of the
// waiting blocks the one with the smallest number can always go on. CUB's radix sort is of this kind.
//
// To compare addresses, the analysis writes them as  number * pitch + f(threadIdx) + constant  and evaluates f for each
// thread of the block. It assumes that such an index does not wrap, that different pointers among a kernel's parameters
// point to different memory, and that no thread overwrites the word of shared memory in which the others read the
// number without a barrier in between, which would be a race.
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
