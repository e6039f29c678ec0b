#include "simt/block/hoist_into_prologue.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

bool hoist_into_prologue(Function& warp_function) {
  const bool has_barriers =
      any_of(instructions(warp_function), [](const Instruction& i) { return dialect_of(&i) == Dialect::BarrierSync; });
  if (!has_barriers) return false;
  BasicBlock& prologue = warp_function.getEntryBlock();
  Instruction* end = prologue.getTerminator();
  auto is_known = [&](const Value* v) {
    auto* i = dyn_cast<Instruction>(v);
    return !i || i->getParent() == &prologue;
  };
  bool changed = false;
  for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&warp_function)) {
    if (bb == &prologue) continue;
    for (Instruction& i : make_early_inc_range(*bb)) {
      if (isa<PHINode>(i) || i.isTerminator() || i.mayReadOrWriteMemory() || i.mayHaveSideEffects() ||
          isa<AllocaInst>(i) || !isSafeToSpeculativelyExecute(&i) || !all_of(i.operands(), is_known))
        continue;
      i.moveBefore(end);
      changed = true;
    }
  }
  return changed;
}

}  // namespace warpwise::simt
