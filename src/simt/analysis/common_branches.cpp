#include "simt/analysis/common_branches.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

using Blocks = SmallPtrSet<const BasicBlock*, 32>;

bool ends_at_barrier(const Instruction* from) {
  for (; from; from = from->getNextNode())
    if (is_barrier(*from)) return true;
  return false;
}

// What is entered from `from` on without crossing a barrier, and without entering `closed`.
Blocks entered_from(const Instruction* from, const BasicBlock* closed = nullptr) {
  Blocks entered;
  SmallVector<const Instruction*, 16> work{from};
  while (!work.empty()) {
    const Instruction* at = work.pop_back_val();
    if (ends_at_barrier(at)) continue;
    for (const BasicBlock* next : successors(at->getParent()))
      if (next != closed && entered.insert(next).second) work.push_back(&next->front());
  }
  return entered;
}

}  // namespace

CommonBranches::CommonBranches(Function& function)
    : function_(function), uniform_(function, {}, BlockUniformity::Loads::Constant), known_(barriers_are_common()) {}

// No barrier lies between a branch at which threads part and the place where all its ways come together.
bool CommonBranches::barriers_are_common() {
  PostDominatorTree post_dominators(function_);
  for (BasicBlock& bb : function_) {
    if (!uniform_.parts(bb)) continue;
    auto* node = post_dominators.getNode(&bb);
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    Blocks seen;
    SmallVector<const BasicBlock*, 16> work(successors(&bb));
    while (!work.empty()) {
      const BasicBlock* at = work.pop_back_val();
      if (at == join || !seen.insert(at).second) continue;
      if (ends_at_barrier(&at->front())) return false;
      work.append(succ_begin(at), succ_end(at));
    }
  }
  return true;
}

DenseMap<const BasicBlock*, BasicBlock*> CommonBranches::taken(Instruction& start, const Loop& loop) {
  DenseMap<const BasicBlock*, BasicBlock*> sides;
  if (!known_ || loop.contains(&start)) return sides;
  const BasicBlock* header = loop.getHeader();
  Blocks region = entered_from(&start);
  region.insert(start.getParent());
  for (const BasicBlock* bb : region) {
    auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (loop.contains(bb) || !branch || !branch->isConditional() || uniform_.parts(*bb)) continue;
    const Instruction* from = bb == start.getParent() ? &start : &bb->front();
    if (ends_at_barrier(from)) continue;
    // Each thread comes by once, and the one that waits has come by.
    if (entered_from(branch).contains(bb) && !ends_at_barrier(&bb->front())) continue;
    if (bb != start.getParent() && entered_from(&start, bb).contains(header)) continue;
    for (unsigned side : {0u, 1u}) {
      const BasicBlock* other = branch->getSuccessor(1 - side);
      if (other != header && !entered_from(&other->front()).contains(header)) sides[bb] = branch->getSuccessor(side);
    }
  }
  return sides;
}

}  // namespace warpwise::simt
