#include "simt/instrument/redundant_race_checks.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "simt/instrument/events.h"

namespace warpwise::simt {

using namespace llvm;

void answer_race_questions(Function& region, bool alone) {
  struct Question {
    CallInst* call;
    AccessKind kind;
  };
  SmallVector<Question, 16> questions;
  bool does[3] = {};  // by AccessKind
  for (Instruction& i : instructions(region)) {
    auto* call = dyn_cast<CallInst>(&i);
    if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != kRaceQuestion) continue;
    const auto kind = AccessKind(cast<ConstantInt>(call->getArgOperand(0))->getZExtValue());
    questions.push_back({call, kind});
    does[unsigned(kind)] = true;
  }
  if (questions.empty()) return;
  const bool loads = does[unsigned(AccessKind::Load)], stores = does[unsigned(AccessKind::Store)],
             atomics = does[unsigned(AccessKind::Atomic)];
  for (auto [call, kind] : questions) {
    const bool redundant = alone && ((kind == AccessKind::Load && !stores && !atomics) ||
                                     (kind == AccessKind::Atomic && !stores && !loads));
    BasicBlock* bb = call->getParent();
    call->replaceAllUsesWith(ConstantInt::getBool(region.getContext(), !redundant));
    call->eraseFromParent();
    ConstantFoldTerminator(bb);  // where the block branches on it
  }
  EliminateUnreachableBlocks(region);
}

}  // namespace warpwise::simt
