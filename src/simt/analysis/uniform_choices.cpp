#include "simt/analysis/uniform_choices.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>

#include "simt/analysis/barrier_phases.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Each looks at the code behind a barrier three times. Beyond this, accesses count as made together.
constexpr size_t kMostWays = 256;

}  // namespace

bool UniformChoices::exclude(const Instruction* barrier, const Instruction& a, const Instruction& b) {
  if (loops_.may_meet_elsewhere()) return false;
  return excludes(barrier, a, b) || excludes(barrier, b, a);
}

// The way to `b` leads through the branch alone, so that no thread is there that has left the others before.
bool UniformChoices::excludes(const Instruction* barrier, const Instruction& a, const Instruction& b) {
  if (!dominators_) dominators_.emplace(function_);
  if (!uniform_) uniform_.emplace(function_, ArrayRef<Value*>(), BlockUniformity::Loads::Constant);
  const DomTreeNode* at = dominators_->getNode(b.getParent());
  while (at && (at = at->getIDom())) {
    const BasicBlock* bb = at->getBlock();
    auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    if (uniform_->parts(*bb)) continue;
    for (unsigned way : {0u, 1u}) {
      if (!dominators_->dominates(BasicBlockEdge(bb, branch->getSuccessor(way)), b.getParent())) continue;
      const Ways* ways = ways_of(barrier, *branch);
      if (!ways) continue;
      const Reached &to_b = ways->by[way], &other = ways->by[1 - way];
      if (to_b.contains(&b) && !other.contains(&b) && !ways->without.contains(&b) && other.contains(&a) &&
          !to_b.contains(&a) && !ways->without.contains(&a))
        return true;
    }
  }
  return false;
}

const UniformChoices::Ways* UniformChoices::ways_of(const Instruction* barrier, const BranchInst& branch) {
  auto found = ways_.find({barrier, &branch});
  if (found == ways_.end()) {
    if (ways_.size() == kMostWays) return nullptr;
    Ways ways;
    reach(barrier ? std::next(barrier->getIterator()) : function_.getEntryBlock().begin(), &branch, ways.without);
    for (unsigned way : {0u, 1u}) reach(branch.getSuccessor(way)->begin(), nullptr, ways.by[way]);
    const bool once = ways.without.erase(&branch) && !ways.by[0].contains(&branch) && !ways.by[1].contains(&branch);
    found = ways_.try_emplace({barrier, &branch}, once ? std::optional(std::move(ways)) : std::nullopt).first;
  }
  return found->second ? &*found->second : nullptr;
}

// Instructions up to the barriers, and to `not_past`, which count as reached.
void UniformChoices::reach(BasicBlock::const_iterator from, const Instruction* not_past, Reached& reached) const {
  SmallPtrSet<const BasicBlock*, 16> seen;
  SmallVector<BasicBlock::const_iterator> work{from};
  while (!work.empty()) {
    const Instruction* at = &*work.pop_back_val();
    for (; at; at = at->getNextNode()) {
      reached.insert(at);
      if (at == not_past || waits_for_block(*at)) break;
      if (!at->isTerminator()) continue;
      for (const BasicBlock* next : successors(at->getParent()))
        if (seen.insert(next).second) work.push_back(next->begin());
    }
  }
}

}  // namespace warpwise::simt
