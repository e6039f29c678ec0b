// Where threads that part at a branch meet again.
//
// Who runs a program together (the lanes of a warp, the warps of a block) parts at some branches. What that
// does to values is the same for everybody: phis at the places where parted paths first meet hold different
// values, and so do values that leave a loop which is left in different iterations.
//
// (LLVM's own uniformity analysis answers the same question, but version 19 calls a phi behind a divergent
// branch uniform when a loop lies on one of the paths; tests/ptx/exec/control/reconverge_after_loops.ptx is the case.)
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace warpwise::simt {

class Divergence {
 public:
  // Every cycle of the function must be a natural loop.
  explicit Divergence(llvm::Function& function);

  // Takes in the branches at which `parts` says that paths part; it may say so of more blocks each time.
  // Whether more places became joins, or more loops are left apart, than before.
  bool update(llvm::function_ref<bool(const llvm::BasicBlock&)> parts);

  // Parted paths meet here.
  bool is_join(const llvm::BasicBlock& block) const { return reconvergence_.contains(&block); }
  // Whether `definition` reaches `user` from a loop that is left in different iterations.
  bool leaves_apart(const llvm::Instruction& definition, const llvm::BasicBlock& user) const;

  llvm::ArrayRef<llvm::BasicBlock*> order() const { return order_; }  // reverse post-order

 private:
  void propagate(llvm::ArrayRef<llvm::BasicBlock*> starts, const llvm::Loop* loop, const llvm::BasicBlock* from);

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> position_;
  llvm::DenseSet<const llvm::BasicBlock*> reconvergence_;
  llvm::DenseSet<const llvm::Loop*> divergent_loops_;        // left in different iterations
  llvm::DenseSet<const llvm::BasicBlock*> spread_branches_;  // whose influence is in reconvergence_ already
  llvm::DenseSet<const llvm::Loop*> spread_loops_;           // likewise
};

}  // namespace warpwise::simt
