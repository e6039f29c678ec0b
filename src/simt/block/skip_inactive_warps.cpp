#include "simt/block/skip_inactive_warps.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "simt/analysis/block_uniformity.h"

namespace warpwise::simt {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class InactiveWarps {
 public:
  InactiveWarps(Function& region, Argument* warp, Argument* next)
      : region_(region),
        warp_(warp),
        next_(next),
        uniform_(region, {warp, region.getArg(2)}, BlockUniformity::Loads::Constant) {}

  bool run() {
    // An inactive warp takes one way only: from the entry, over branches that all warps take alike.
    BasicBlock* bb = &region_.getEntryBlock();
    for (unsigned steps = 0; steps < 64; ++steps) {
      if (!harmless(*bb)) return false;
      auto* branch = dyn_cast<BranchInst>(bb->getTerminator());
      if (!branch) return false;
      if (branch->isUnconditional()) {
        bb = branch->getSuccessor(0);
        continue;
      }
      if (!uniform_.parts(*bb)) return skip_from_sides(*branch);
      return skip_from(*branch);
    }
    return false;
  }

 private:
  // Behind a branch that all warps take alike, each side may end in a test of its own.
  bool skip_from_sides(BranchInst& branch) {
    bool any = false;
    for (BasicBlock* side : successors(&branch)) {
      BasicBlock* bb = side;
      for (unsigned steps = 0; steps < 16 && harmless(*bb); ++steps) {
        auto* next = dyn_cast<BranchInst>(bb->getTerminator());
        if (!next) break;
        if (next->isConditional()) {
          if (uniform_.parts(*bb)) any = skip_from(*next) || any;
          break;
        }
        bb = next->getSuccessor(0);
      }
    }
    return any;
  }

  // No effect that another thread could see, except stores of what is the same for all warps.
  bool harmless(BasicBlock& bb) const {
    for (Instruction& i : bb) {
      if (auto* store = dyn_cast<StoreInst>(&i);
          store && store->getPointerOperand()->stripInBoundsConstantOffsets() == next_)
        continue;
      if (i.mayHaveSideEffects()) return false;
    }
    return true;
  }

  // Where the false side of the branch is the end of the region, and stays the side of all later warps: the answer then
  // says so.
  bool skip_from(BranchInst& branch) {
    if (!falls_with_warp(branch.getCondition())) return false;
    BasicBlock* from = branch.getParent();
    BasicBlock* end = branch.getSuccessor(1);
    while (end->size() == 1 && isa<BranchInst>(end->front()) && cast<BranchInst>(end->front()).isUnconditional()) {
      from = end;
      end = end->getSingleSuccessor();
    }
    auto* ret = dyn_cast<ReturnInst>(end->getTerminator());
    if (!ret || !harmless(*end)) return false;
    BasicBlock* inactive = BasicBlock::Create(region_.getContext(), "inactive", &region_);
    IRBuilder<> b(inactive);
    ValueToValueMapTy map;
    for (Instruction& i : *end) {
      if (auto* phi = dyn_cast<PHINode>(&i)) {
        map[phi] = phi->getIncomingValueForBlock(from);
        continue;
      }
      if (i.isTerminator()) break;
      Instruction* copy = i.clone();
      b.Insert(copy);
      RemapInstruction(copy, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      map[&i] = copy;
    }
    auto answer = cast<ConstantInt>(ret->getReturnValue())->getZExtValue();
    b.CreateRet(b.getInt32(uint32_t(answer) | kLaterWarpsInactive));
    branch.getSuccessor(1)->removePredecessor(branch.getParent());
    branch.setSuccessor(1, inactive);
    return true;
  }

  // A number that does not fall from one warp to the next, in any lane: the warp's number (below 32) times and
  // plus small constants, few enough of them to stay below 2^31.
  bool grows(Value* v, unsigned steps = 4) const {
    if (v == warp_) return true;
    if (steps-- == 0) return false;
    const APInt* c;
    Value* inner;
    if (Value* scalar = getSplatValue(v)) return grows(scalar, steps + 1);
    if (match(v, m_Shl(m_Value(inner), m_APInt(c)))) return c->ult(7) && grows(inner, steps);
    if (match(v, m_Mul(m_Value(inner), m_APInt(c)))) return c->ult(64) && grows(inner, steps);
    if (match(v, m_Or(m_Value(inner), m_APInt(c))) || match(v, m_Add(m_Value(inner), m_APInt(c))))
      return c->ult(1024) && grows(inner, steps);
    Constant* lanes;
    if (match(v, m_c_Or(m_Value(inner), m_Constant(lanes))) || match(v, m_c_Add(m_Value(inner), m_Constant(lanes))))
      return grows(inner, steps) && small(lanes);
    return false;
  }

  static bool small(Constant* lanes) {
    auto* type = dyn_cast<FixedVectorType>(lanes->getType());
    if (!type) return false;
    for (unsigned l = 0; l < type->getNumElements(); ++l) {
      auto* lane = dyn_cast_or_null<ConstantInt>(lanes->getAggregateElement(l));
      if (!lane || lane->getValue().uge(1024)) return false;
    }
    return true;
  }

  // Once false, false for all later warps.
  bool falls_with_warp(Value* condition) const {
    Value* mask;
    // any(mask)
    if (match(condition, m_SpecificICmp(ICmpInst::ICMP_NE, m_BitCast(m_Value(mask)), m_ZeroInt()))) condition = mask;
    auto* compare = dyn_cast<ICmpInst>(condition);
    if (!compare) return false;
    Value* bound = compare->getOperand(1);
    if (Value* scalar = getSplatValue(bound)) bound = scalar;
    if (!uniform_.is_uniform(bound)) return false;
    switch (compare->getPredicate()) {
      case ICmpInst::ICMP_ULT:
      case ICmpInst::ICMP_ULE:
      case ICmpInst::ICMP_SLT:
      case ICmpInst::ICMP_SLE:
        break;
      // `t == 0` falls as well, behind the first warp: numbers that grow pass the smallest there is only once.
      case ICmpInst::ICMP_EQ:
        if (auto* zero = dyn_cast<Constant>(bound); !zero || !zero->isNullValue()) return false;
        break;
      default:
        return false;
    }
    return grows(compare->getOperand(0));
  }

  Function& region_;
  Argument *warp_, *next_;
  BlockUniformity uniform_;
};

}  // namespace

bool skip_inactive_warps(Function& region, Argument* warp, Argument* next) {
  return InactiveWarps(region, warp, next).run();
}

}  // namespace warpwise::simt
