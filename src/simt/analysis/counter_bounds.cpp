#include "simt/analysis/counter_bounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Whether the condition, if it is `holds`, says that `less` is less than `than`; of numbers that are not negative it
// does not matter how they are compared.
bool says_less(const Value& condition, bool holds, const Value& less, const Value& than) {
  auto* test = dyn_cast<ICmpInst>(&condition);
  if (!test) return false;
  CmpInst::Predicate predicate = holds ? test->getPredicate() : test->getInversePredicate();
  const Value *a = test->getOperand(0), *b = test->getOperand(1);
  if (predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_UGT)
    predicate = CmpInst::getSwappedPredicate(predicate), std::swap(a, b);
  return (predicate == CmpInst::ICMP_SLT || predicate == CmpInst::ICMP_ULT) && a == &less && b == &than;
}

// Whether control comes over the edge only where `less` is less than `than`.
bool holds_on(const BasicBlock& from, const BasicBlock& to, const Value& less, const Value& than) {
  auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
  return says_less(*branch->getCondition(), branch->getSuccessor(0) == &to, less, than);
}

// Whether control comes to a block only over such edges.
bool holds_in(const BasicBlock& bb, const Value& less, const Value& than, const DominatorTree& dominators) {
  for (auto* node = dominators.getNode(&bb); node && node->getIDom(); node = node->getIDom()) {
    const BasicBlock* above = node->getIDom()->getBlock();
    for (const BasicBlock* next : successors(above))
      if (dominators.dominates(BasicBlockEdge(above, next), &bb) && holds_on(*above, *next, less, than)) return true;
  }
  return false;
}

// What the value is compared with.
SmallVector<Value*, 4> compared_with(Value& value) {
  SmallVector<Value*, 4> others;
  for (User* user : value.users())
    if (auto* test = dyn_cast<ICmpInst>(user))
      others.push_back(test->getOperand(test->getOperand(0) == &value ? 1 : 0));
  return others;
}

}  // namespace

std::optional<LaunchRange> counter_bound(Value* value, const BasicBlock& at, AffineValues& values,
                                         const DominatorTree& dominators) {
  using namespace PatternMatch;
  auto* phi = dyn_cast<PHINode>(value);
  if (!phi || !phi->getType()->isIntegerTy(32) || phi->getNumIncomingValues() != 2) return {};
  for (unsigned back : {0u, 1u}) {
    BasicBlock *latch = phi->getIncomingBlock(back), *before = phi->getIncomingBlock(1 - back);
    Value *next = phi->getIncomingValue(back), *start = phi->getIncomingValue(1 - back);
    const APInt* step = nullptr;
    if (!dominators.dominates(phi->getParent(), latch) || !match(next, m_Add(m_Specific(phi), m_APInt(step)))) continue;
    if (!step->isStrictlyPositive()) return {};
    const AffineForm& first = values.of(start);
    if (!first.is_constant() || first.constant.least() < 0 || first.constant.most() > INT32_MAX) return {};
    auto tests_before_turns = [&](const Value& bound) {
      return holds_in(at, *phi, bound, dominators) && holds_in(*latch, *phi, bound, dominators);
    };
    auto tests_behind_turns = [&](const Value& bound) {
      return holds_on(*latch, *phi->getParent(), *next, bound) &&
             (holds_on(*before, *phi->getParent(), *start, bound) || holds_in(*before, *start, bound, dominators));
    };
    SmallVector<Value*, 4> bounds = compared_with(*phi);
    append_range(bounds, compared_with(*next));
    for (Value* bound : bounds) {
      std::optional<LaunchRange> range = AffineValues::launch_number(bound);
      if (!range || range->of != LaunchRange::Of::Parameter || range->bytes != 4) continue;
      if (!tests_before_turns(*bound) && !tests_behind_turns(*bound)) continue;
      range->least = 1;
      range->most = uint64_t(INT32_MAX) - step->getZExtValue();
      return range;
    }
    return {};
  }
  return {};
}

}  // namespace warpwise::simt
