#include "simt/block/hoist_block_constants.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

bool may_move(const Instruction& i) {
  if (isa<LoadInst>(i)) return i.hasMetadata(LLVMContext::MD_invariant_load);
  if (isa<GetElementPtrInst>(i) || isa<IntToPtrInst>(i)) return true;
  return (isa<BinaryOperator>(i) || isa<CastInst>(i)) && !i.getType()->isVectorTy() && isSafeToSpeculativelyExecute(&i);
}

}  // namespace

bool hoist_block_constants(Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  Instruction* end = entry.getTerminator();
  auto is_known = [&](const Value* v) {
    auto* operand = dyn_cast<Instruction>(v);
    return !operand || operand->getParent() == &entry;
  };
  bool changed = false;
  for (BasicBlock* bb : ReversePostOrderTraversal<Function*>(&function)) {
    if (bb == &entry) continue;
    for (Instruction& i : make_early_inc_range(*bb)) {
      if (!may_move(i) || !all_of(i.operands(), is_known)) continue;
      i.moveBefore(end);
      changed = true;
    }
  }
  return changed;
}

}  // namespace warpwise::simt
