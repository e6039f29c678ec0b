#include "simt/analysis/barrier_loops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

#include "simt/analysis/block_uniformity.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/divergence.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Turns of more loops are counted in tens: trees and scans halve or double.
constexpr size_t kMostTurns = 64;

// Blocks from which a thread may still come to a barrier.
SmallPtrSet<const BasicBlock*, 16> blocks_before_barriers(Function& function) {
  SmallPtrSet<const BasicBlock*, 16> found;
  SmallVector<const BasicBlock*> work;
  for (BasicBlock& bb : function)
    if (any_of(bb, is_barrier) && found.insert(&bb).second) work.push_back(&bb);
  while (!work.empty())
    for (const BasicBlock* before : predecessors(work.pop_back_val()))
      if (found.insert(before).second) work.push_back(before);
  return found;
}

}  // namespace

BarrierLoops::BarrierLoops(Function& function, const BlockShape& block, bool ranges)
    : function_(function),
      block_(block),
      ranges_(ranges),
      dominators_(function),
      loops_(dominators_),
      values_(function, block, ranges) {}

const BarrierLoops::Turns* BarrierLoops::turns_of(Instruction& a, Instruction& b) {
  Loop* loop = loops_.getLoopFor(a.getParent());
  if (!loop || loop != loops_.getLoopFor(b.getParent())) return nullptr;
  auto found = turns_.find(loop);
  if (found == turns_.end()) found = turns_.try_emplace(loop, find_turns(*loop)).first;
  if (found->second.empty()) return nullptr;
  // Behind the last barrier of a turn, threads share what is between two barriers with those of the next turn.
  if (reaches_next_turn(a, *loop) != reaches_next_turn(b, *loop)) return nullptr;
  return &found->second;
}

// Where some have diverged from others that come to a barrier, too.
bool BarrierLoops::may_meet_elsewhere() {
  if (may_meet_elsewhere_) return *may_meet_elsewhere_;
  const BlockUniformity uniform(function_, {}, BlockUniformity::Loads::Constant);
  const auto before = blocks_before_barriers(function_);
  const auto diverged = diverged_blocks(function_, [&](const BasicBlock& bb) {
    return uniform.parts(bb) && all_of(successors(&bb), [&](const BasicBlock* next) { return before.contains(next); });
  });
  may_meet_elsewhere_ = any_of(function_, [&](BasicBlock& bb) {
    return any_of(bb, [&](Instruction& i) { return is_barrier(i) && (!waits_for_all(i) || diverged.contains(&bb)); });
  });
  return *may_meet_elsewhere_;
}

bool BarrierLoops::waits_for_all(const Instruction& barrier) const {
  if (dialect_of(&barrier) == Dialect::BarrierArrive) return false;
  auto* threads = dyn_cast<ConstantInt>(cast<CallInst>(barrier).getArgOperand(1));
  return threads && (threads->isZero() || threads->getZExtValue() == block_.threads());
}

bool BarrierLoops::meets_in_each_turn(const Loop& loop) const {
  const BasicBlock* latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader()) return false;
  bool meets = false;
  for (BasicBlock* bb : loop.blocks())
    if (any_of(*bb, is_barrier)) {
      if (loops_.getLoopFor(bb) != &loop || !dominators_.dominates(bb, latch)) return false;
      meets = true;
    }
  return meets;
}

// Without a barrier on the way.
bool BarrierLoops::reaches_next_turn(Instruction& access, const Loop& loop) const {
  SmallPtrSet<const BasicBlock*, 8> seen;
  SmallVector<const Instruction*, 8> work{access.getNextNode()};
  while (!work.empty()) {
    const Instruction* at = work.pop_back_val();
    while (at && !is_barrier(*at)) {
      if (at->isTerminator())
        for (const BasicBlock* next : successors(at->getParent())) {
          if (next == loop.getHeader()) return true;
          if (loop.contains(next) && seen.insert(next).second) work.push_back(&next->front());
        }
      at = at->getNextNode();
    }
  }
  return false;
}

BarrierLoops::Turns BarrierLoops::find_turns(const Loop& loop) {
  if (!meets_in_each_turn(loop) || may_meet_elsewhere()) return {};
  for (PHINode& phi : loop.getHeader()->phis())
    if (Turns turns = follow(phi, loop); !turns.empty()) return turns;
  return {};
}

// The numbers of the counter, from the first on, until the loop is left or one returns.
BarrierLoops::Turns BarrierLoops::follow(PHINode& counter, const Loop& loop) {
  if (!counter.getType()->isIntegerTy()) return {};
  const AffineForm start = values_.of(counter.getIncomingValueForBlock(loop.getLoopPreheader()));
  if (!start.is_number()) return {};
  Value* next = counter.getIncomingValueForBlock(loop.getLoopLatch());
  Turns turns;
  SmallVector<int64_t, 16> seen;
  for (int64_t number = start.constant.at(0); !is_contained(seen, number);) {
    if (turns.size() == kMostTurns) return {};
    seen.push_back(number);
    turns.push_back(std::make_unique<AffineValues>(function_, block_, ranges_));
    AffineValues& values = *turns.back();
    values.set(counter, number);
    if (is_left(loop, values)) return turns;
    const AffineForm& following = values.of(next);
    if (!following.is_number()) return {};
    number = following.constant.at(0);
  }
  return turns;
}

// Whether this turn is the last.
bool BarrierLoops::is_left(const Loop& loop, AffineValues& values) const {
  SmallVector<BasicBlock*, 2> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](BasicBlock* bb) {
    auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
    if (!branch || !branch->isConditional() || !dominators_.dominates(bb, loop.getLoopLatch())) return false;
    const std::optional<bool> taken = values.decides(*branch->getCondition());
    return taken && !loop.contains(branch->getSuccessor(*taken ? 0 : 1));
  });
}

}  // namespace warpwise::simt
