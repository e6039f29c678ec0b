// LLVM 19 never finishes selecting some choices between masks.
//
//     %last = select i1 %c, <32 x i1> <13 times true, …>, <32 x i1> splat (i1 true)
//
// is what `the block's last warp ? its 13 lanes : all lanes` becomes. Selection hangs if three shuffles take parts of
// such a choice (a vote of eight lanes beside stores of two neighbours each), and on the `or` of two such choices by
// one condition. It also hangs on some choices between masks by a mask.
//
// Upstream: no issue found. https://github.com/llvm/llvm-project/pull/143571 mentions two folds of a choice's condition
// that undo each other, which may be the same fault.
// Reproducer: tests/simt/codegen/llvm19/chosen_masks_test.cpp, ChoicesByTheConditionOfABranch (hangs on a machine with
// AVX-512).
//
// A choice between constant masks becomes a test of one bit in each lane's byte, the bit of the chosen side; it costs
// as much. A choice between masks by a mask becomes logic, as selection would make it, but before its folds have seen
// it.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

namespace {

// Whether a constant mask has the bit of `lane`; a mask is a vector of bits or an integer of as many. Undefined bits
// count as clear. Nothing where the mask or the bit is not constant.
std::optional<bool> has_lane(Value* mask, unsigned lane) {
  if (auto* bits = dyn_cast<ConstantInt>(mask)) return bits->getValue()[lane];
  auto* constant = dyn_cast<Constant>(mask);
  Constant* bit = constant ? constant->getAggregateElement(lane) : nullptr;
  if (!isa_and_nonnull<ConstantInt>(bit) && !isa_and_nonnull<UndefValue>(bit)) return std::nullopt;
  return isa<ConstantInt>(bit) && cast<ConstantInt>(bit)->isOne();
}

}  // namespace

// Handles `select` of two constant masks by a bit, and a bitcast of a `select` of two integers to a mask.
bool llvm19::test_lanes_of_chosen_mask(Instruction& i) {
  auto* cast = dyn_cast<BitCastInst>(&i);
  auto* choice = dyn_cast<SelectInst>(cast ? cast->getOperand(0) : &i);
  if (!choice || !is_mask(i.getType()) || (!cast && choice->getCondition()->getType()->isVectorTy())) return false;
  IRBuilder<> b(&i);
  std::vector<Constant*> sides;  // by lane: bit 0 for the mask of `true`, bit 1 for that of `false`
  for (unsigned lane = 0; lane < llvm::cast<FixedVectorType>(i.getType())->getNumElements(); ++lane) {
    const auto if_true = has_lane(choice->getTrueValue(), lane), if_false = has_lane(choice->getFalseValue(), lane);
    if (!if_true || !if_false) return false;
    sides.push_back(b.getInt8(*if_true | *if_false << 1));
  }
  Value* side = b.CreateVectorSplat(sides.size(), b.CreateSelect(choice->getCondition(), b.getInt8(1), b.getInt8(2)));
  Value* lanes = b.CreateAnd(ConstantVector::get(sides), side);
  i.replaceAllUsesWith(b.CreateICmpNE(lanes, Constant::getNullValue(lanes->getType())));
  i.eraseFromParent();
  return true;
}

bool llvm19::choose_masks_by_logic(Instruction& i) {
  auto* choice = dyn_cast<SelectInst>(&i);
  if (!choice || !is_mask(choice->getType()) || !choice->getCondition()->getType()->isVectorTy()) return false;
  IRBuilder<> b(choice);
  Value* mask = choice->getCondition();
  const auto side = [&](Value* v) { return isGuaranteedNotToBeUndefOrPoison(v) ? v : b.CreateFreeze(v); };
  Value* chosen = b.CreateAnd(mask, side(choice->getTrueValue()));
  // Mostly no lane is left of the other side.
  if (!match(choice->getFalseValue(), PatternMatch::m_Zero()))
    chosen = b.CreateOr(chosen, b.CreateAnd(b.CreateNot(mask), side(choice->getFalseValue())));
  choice->replaceAllUsesWith(chosen);
  choice->eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
