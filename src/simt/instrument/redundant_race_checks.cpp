#include "simt/instrument/redundant_race_checks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "simt/instrument/events.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

void answer_race_questions(Function& region, bool alone) {
  struct Question {
    CallInst* call;
    AccessKind kind;
    bool disjoint;
  };
  SmallVector<Question, 16> questions;
  bool does[3] = {};  // by AccessKind; what is disjoint with all others concerns none of them
  for (Instruction& i : instructions(region)) {
    auto* call = dyn_cast<CallInst>(&i);
    if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != kRaceQuestion) continue;
    const auto kind = AccessKind(cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
    const bool disjoint = cast<ConstantInt>(call->getArgOperand(1))->isOne();
    questions.push_back({call, kind, disjoint});
    if (!disjoint) does[unsigned(kind)] = true;
  }
  if (questions.empty()) return;
  const bool loads = does[unsigned(AccessKind::Load)], stores = does[unsigned(AccessKind::Store)],
             atomics = does[unsigned(AccessKind::Atomic)];
  for (auto [call, kind, disjoint] : questions) {
    const bool redundant = alone && (disjoint || (kind == AccessKind::Load && !stores && !atomics) ||
                                     (kind == AccessKind::Atomic && !stores && !loads));
    BasicBlock* bb = call->getParent();
    call->replaceAllUsesWith(ConstantInt::getBool(region.getContext(), !redundant));
    call->eraseFromParent();
    ConstantFoldTerminator(bb);  // where the block branches on it
  }
  EliminateUnreachableBlocks(region);
}

// Each access that is compared has an event for where the comparison does not decide.
bool concerns_races(Function& region) {
  return any_of(instructions(region), [](Instruction& i) {
    auto* call = dyn_cast<CallInst>(&i);
    if (!call || !is_report(*call)) return false;
    auto* code = dyn_cast<ConstantInt>(call->getArgOperand(3));
    if (!code) return true;
    const uint32_t event = uint32_t(code->getZExtValue());
    if (kind_of(event) == EventKind::Barrier)  // a warp's, of which the block tells
      return unpack<event::Barrier>(event).of != event::Barrier::Of::WarpOfBlock;
    return is_for_races(kind_of(event));
  });
}

}  // namespace warpwise::simt
