#include "simt/analysis/block_uniformity.h"

#include <llvm/IR/IntrinsicInst.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

BlockUniformity::BlockUniformity(Function& function, ArrayRef<Value*> own, Loads loads)
    : loads_(loads), divergence_(function) {
  varying_.insert(own.begin(), own.end());
  do {
    while (settle()) {
    }
  } while (divergence_.update([&](const BasicBlock& bb) { return parts(bb); }));
}

bool BlockUniformity::parts(const BasicBlock& block) const {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && !is_uniform(branch->getCondition());
}

// Optimistic: everything is uniform until an operand, or a join, says otherwise.
bool BlockUniformity::settle() {
  bool changed = false;
  for (BasicBlock* bb : divergence_.order())
    for (Instruction& i : *bb)
      if (!i.getType()->isVoidTy() && !varying_.contains(&i) && !stays_uniform(i)) changed = varying_.insert(&i).second;
  return changed;
}

bool BlockUniformity::stays_uniform(const Instruction& i) const {
  const BasicBlock& here = *i.getParent();
  auto same = [&](const Value* v) {
    auto* definition = dyn_cast<Instruction>(v);
    return is_uniform(v) && !(definition && divergence_.leaves_apart(*definition, here));
  };
  if (auto* phi = dyn_cast<PHINode>(&i)) {
    if (divergence_.is_join(here) && !phi->hasConstantValue()) return false;
    return all_of(phi->incoming_values(), [&](const Use& u) { return same(u.get()); });
  }
  // In the program of a thread: everything else that the dialect gives may differ.
  if (const auto d = dialect_of(&i)) return class_of(*d) == DialectClass::Block;
  if (isa<AllocaInst>(i) || i.isAtomic() || i.isVolatile() || i.mayWriteToMemory()) return false;
  if (i.mayReadFromMemory()) {
    const bool constant = i.hasMetadata(LLVMContext::MD_invariant_load) || i.hasMetadata("ww.common");
    const bool load = isa<LoadInst>(i) || (isa<IntrinsicInst>(i) && loads_ == Loads::Together);
    if (!load || (!constant && loads_ != Loads::Together)) return false;
  }
  if (auto* call = dyn_cast<CallInst>(&i)) {
    if (!isa<IntrinsicInst>(call)) return false;
    return all_of(call->args(), [&](const Use& u) { return isa<MetadataAsValue>(u.get()) || same(u.get()); });
  }
  return all_of(i.operands(), [&](const Use& u) { return same(u.get()); });
}

}  // namespace warpwise::simt
