#include "simt/analysis/divergence.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>

#include <set>

namespace warpwise::simt {

using namespace llvm;

Divergence::Divergence(Function& function) : dominators_(function), loops_(dominators_) {
  ReversePostOrderTraversal<Function*> order(&function);
  order_.assign(order.begin(), order.end());
  for (unsigned n = 0; n < order_.size(); ++n) position_[order_[n]] = n;
}

bool Divergence::update(function_ref<bool(const BasicBlock&)> parts) {
  const size_t places = reconvergence_.size(), loops = divergent_loops_.size(), ways = way_count_;
  for (BasicBlock* bb : order_)
    if (parts(*bb) && spread_branches_.insert(bb).second)
      propagate(SmallVector<BasicBlock*, 2>(successors(bb)), loops_.getLoopFor(bb), bb);
  // Threads that leave a loop in different iterations diverge at its exits, if it has several. They reconverge at each
  // exit with several ways to it: some come by a break, and some, iterations later, because the loop is over.
  for (bool more = true; more;) {
    more = false;
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (!divergent_loops_.contains(loop) || !spread_loops_.insert(loop).second) continue;
      more = true;
      SmallVector<BasicBlock*, 4> exits;
      loop->getUniqueExitBlocks(exits);
      for (BasicBlock* exit : exits)
        if (count_if(predecessors(exit), [&](const BasicBlock* from) { return loop->contains(from); }) > 1) {
          reconvergence_.insert(exit);
          for (const BasicBlock* from : predecessors(exit))
            if (loop->contains(from)) add_way(exit, from);
        }
      if (exits.size() > 1) propagate(exits, loop->getParentLoop(), loop->getHeader(), loop);
    }
  }
  return reconvergence_.size() != places || divergent_loops_.size() != loops || way_count_ != ways;
}

void Divergence::add_way(const BasicBlock* to, const BasicBlock* from) { way_count_ += ways_[to].insert(from).second; }

bool Divergence::mixes(const PHINode& phi) const {
  const auto ways = ways_.find(phi.getParent());
  if (ways == ways_.end() || phi.hasConstantValue()) return false;
  const Value* first = nullptr;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
    if (!ways->second.contains(phi.getIncomingBlock(n))) continue;
    if (first && first != phi.getIncomingValue(n)) return true;
    first = phi.getIncomingValue(n);
  }
  return false;
}

// Paths diverge at `from` towards `starts`. Each carries the name of its start; where paths with different
// names come together, they reconverge, and the place names what follows. Only forward edges count, and paths end where
// they leave `loop`, the innermost loop in which they diverge: threads that go round it again, or leave it at different
// places, are handled with the loop. When one path is left, all have reconverged. `left`: the loop that the paths
// leave, if there is no one branch at which they diverge.
void Divergence::propagate(ArrayRef<BasicBlock*> starts, const Loop* loop, const BasicBlock* from, const Loop* left) {
  DenseMap<const BasicBlock*, const BasicBlock*> name;
  DenseMap<const BasicBlock*, SmallVector<const BasicBlock*, 4>> came_from;
  std::set<unsigned> pending;
  // Threads that went round again, or left the loop, are one more path, so a single other path is not the last.
  bool alone_ends = true;
  auto reach = [&](const BasicBlock* to, const BasicBlock* last, const BasicBlock* label) {
    if (loop && !loop->contains(to)) {
      divergent_loops_.insert(loop);  // others stay behind in it
      alone_ends = false;
      return;
    }
    auto [it, fresh] = name.try_emplace(to, label);
    SmallVectorImpl<const BasicBlock*>& lasts = came_from[to];
    lasts.push_back(last);
    if (!fresh && it->second != label) {
      reconvergence_.insert(to);
      it->second = to;
    }
    if (it->second == to && reconvergence_.contains(to))
      for (const BasicBlock* l : lasts) add_way(to, l);
    pending.insert(position_.lookup(to));
  };
  // Threads that go round a loop inside of one path leave it before that path goes on.
  auto goes_round = [&](const BasicBlock* header) {
    const Loop* around = loops_.getLoopFor(header);
    return loop && around && around->contains(loop);
  };
  for (const BasicBlock* s : starts) {
    const Loop* around = loops_.getLoopFor(s);
    if (around && around->getHeader() == s && around->contains(from)) {
      alone_ends = false;  // round again
      continue;
    }
    if (!left) {
      reach(s, from, s);
      continue;
    }
    for (const BasicBlock* last : predecessors(s))
      if (left->contains(last)) reach(s, last, s);
  }
  while (!pending.empty()) {
    const BasicBlock* bb = order_[*pending.begin()];
    pending.erase(pending.begin());
    if (pending.empty() && alone_ends && reconvergence_.contains(bb) && name.lookup(bb) == bb) return;
    for (const BasicBlock* to : successors(bb)) {
      if (position_.lookup(to) > position_.lookup(bb))
        reach(to, bb, name.lookup(bb));
      else if (goes_round(to))
        alone_ends = false;
    }
  }
}

bool Divergence::leaves_apart(const Instruction& definition, const BasicBlock& user) const {
  for (const Loop* l = loops_.getLoopFor(definition.getParent()); l && !l->contains(&user); l = l->getParentLoop())
    if (divergent_loops_.contains(l)) return true;
  return false;
}

SmallPtrSet<const BasicBlock*, 16> diverged_blocks(Function& function, function_ref<bool(const BasicBlock&)> parts) {
  SmallPtrSet<const BasicBlock*, 16> diverged;
  PostDominatorTree after(function);
  for (BasicBlock& bb : function) {
    if (!parts(bb)) continue;
    auto* node = after.getNode(&bb);
    const BasicBlock* reconverged = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    SmallVector<const BasicBlock*, 8> work(successors(&bb));
    while (!work.empty()) {
      const BasicBlock* b = work.pop_back_val();
      if (b == reconverged || !diverged.insert(b).second) continue;
      work.append(succ_begin(b), succ_end(b));
    }
  }
  return diverged;
}

}  // namespace warpwise::simt
