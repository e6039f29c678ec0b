// Divergence analysis: where threads that diverge at a branch reconverge.
//
// Threads that run a program together diverge at some branches: the lanes of a warp, or the warps of a block. The
// effect on values is the same in both cases. A phi at a reconvergence point, the first place that two divergent paths
// share, holds different values. So does a value that leaves a loop which the threads leave in different iterations
// (temporal divergence).
//
// LLVM's uniformity analysis answers the same question. But version 19 calls a phi behind a divergent branch uniform if
// a loop lies on one of the paths; tests/ptx/exec/control/reconverge_after_loops.ptx is the case.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace warpwise::simt {

class Divergence {
 public:
  // Every cycle of the function must be a natural loop.
  explicit Divergence(llvm::Function& function);

  // Adds the branches that diverge by `parts`, which may report more blocks in each call. Whether there are more
  // reconvergence points, or more loops with divergent exits, than before.
  bool update(llvm::function_ref<bool(const llvm::BasicBlock&)> parts);

  // Divergent paths reconverge here.
  bool is_join(const llvm::BasicBlock& block) const { return reconvergence_.contains(&block); }
  // Whether threads that reconverge at the phi bring different values: those of the ways on which they can have
  // diverged.
  bool mixes(const llvm::PHINode& phi) const;
  // Whether `definition` reaches `user` from a loop that is left in different iterations.
  bool leaves_apart(const llvm::Instruction& definition, const llvm::BasicBlock& user) const;

  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }  // reverse post-order

 private:
  void add_way(const llvm::BasicBlock* to, const llvm::BasicBlock* from);
  void propagate(llvm::ArrayRef<llvm::BasicBlock*> starts, const llvm::Loop* loop, const llvm::BasicBlock* from,
                 const llvm::Loop* left = nullptr);

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> position_;
  llvm::DenseSet<const llvm::BasicBlock*> reconvergence_;
  // The last blocks of divergent paths before a reconvergence point.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::SmallPtrSet<const llvm::BasicBlock*, 4>> ways_;
  size_t way_count_ = 0;
  llvm::DenseSet<const llvm::Loop*> divergent_loops_;        // left in different iterations
  llvm::DenseSet<const llvm::BasicBlock*> spread_branches_;  // whose effect is in reconvergence_ already
  llvm::DenseSet<const llvm::Loop*> spread_loops_;           // likewise
};

// Where threads have diverged: the blocks between a branch at which they do, by `parts`, and the place where they
// reconverge.
llvm::SmallPtrSet<const llvm::BasicBlock*, 16> diverged_blocks(llvm::Function& function,
                                                               llvm::function_ref<bool(const llvm::BasicBlock&)> parts);

}  // namespace warpwise::simt
