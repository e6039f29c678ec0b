// Branches at which the threads of a block follow one that waits in a loop.
//
//     for (int k = begin; k < end; ++k) {      // all threads, in step: a barrier ends each turn
//       if (threadIdx.x == 0)
//         while (atomicCAS(&lock[k], 0, 1)) {} // ◄── the loop
//       __syncthreads();
//       …
//     }
//     sum[threadIdx.x] = …;                    // no thread is here while thread 0 is in the loop
//
// Between two barriers all threads of the block take the same side of a branch on a value that they share, if each of
// them comes by once. So where one thread can only have reached the loop over that branch, the side that does not lead
// to the loop is one that no thread takes meanwhile.
//
// That needs barriers that all threads pass together. If some barrier stands behind a branch at which threads of the
// block part, nothing is said.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "simt/analysis/block_uniformity.h"

namespace warpwise::simt {

class CommonBranches {
 public:
  explicit CommonBranches(llvm::Function& function);

  // For threads that begin behind a barrier (or at the entry) at `start` while one waits in `loop`: the branches of
  // which they take one side, and that side's block.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> taken(llvm::Instruction& start, const llvm::Loop& loop);

 private:
  bool barriers_are_common();

  llvm::Function& function_;
  BlockUniformity uniform_;
  bool known_;  // every barrier is passed by all threads of the block
};

}  // namespace warpwise::simt
