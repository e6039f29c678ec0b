// Accesses of one phase (barrier_phases.h) that no two threads make between the same two barriers, because all threads
// of the block go the same way at a branch.
//
//     for (int offset = 128; offset > 0; offset /= 2) {
//       if (t < offset) s[t] += s[t + offset];
//       __syncthreads();
//     }                                  // every thread leaves behind the same turn: none is in another one
//     x = s[0];                          // while this is read
//
// Behind a barrier, take a branch whose condition is the same for all threads and which a thread passes at most once
// before the next barrier. What is reached by its first way alone is never made together with what is reached by its
// second way alone.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <utility>

#include "simt/analysis/barrier_loops.h"
#include "simt/analysis/block_uniformity.h"

namespace warpwise::simt {

class UniformChoices {
 public:
  // `loops` of the same function.
  UniformChoices(llvm::Function& function, BarrierLoops& loops) : function_(function), loops_(loops) {}

  // `barrier`: where the phase begins, null: at the entry.
  bool exclude(const llvm::Instruction* barrier, const llvm::Instruction& a, const llvm::Instruction& b);

 private:
  using Reached = llvm::DenseSet<const llvm::Instruction*>;
  // What is reached before the next barrier: without passing the branch, and behind it by each of its two ways.
  struct Ways {
    Reached without, by[2];
  };

  bool excludes(const llvm::Instruction* barrier, const llvm::Instruction& a, const llvm::Instruction& b);
  const Ways* ways_of(const llvm::Instruction* barrier, const llvm::BranchInst& branch);
  void reach(llvm::BasicBlock::const_iterator from, const llvm::Instruction* not_past, Reached& reached) const;

  llvm::Function& function_;
  BarrierLoops& loops_;
  std::optional<llvm::DominatorTree> dominators_;
  std::optional<BlockUniformity> uniform_;
  // Nothing where the branch is passed more than once, or not at all.
  llvm::DenseMap<std::pair<const llvm::Instruction*, const llvm::Instruction*>, std::optional<Ways>> ways_;
};

}  // namespace warpwise::simt
