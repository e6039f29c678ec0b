#include "simt/codegen/expand_atomics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// A denormal becomes a zero of its sign.
Value* flush(IRBuilder<>& b, Value* x) {
  Value* bits = b.CreateBitCast(x, b.getInt32Ty());
  Value* denormal = b.CreateICmpEQ(b.CreateAnd(bits, b.getInt32(0x7f800000u)), b.getInt32(0));
  Value* zero = b.CreateAnd(bits, b.getInt32(0x80000000u));
  return b.CreateBitCast(b.CreateSelect(denormal, zero, bits), x->getType());
}

}  // namespace

Value* canonical_sum(IRBuilderBase& b, Value* x, Value* y) {
  Value* sum = b.CreateFAdd(x, y);
  if (!sum->getType()->isFloatTy()) return sum;
  return b.CreateSelect(b.CreateFCmpUNO(sum, sum), b.CreateBitCast(b.getInt32(0x7fffffff), sum->getType()), sum);
}

namespace {

void expand(AtomicRMWInst& rmw) {
  BasicBlock* before = rmw.getParent();
  BasicBlock* after = before->splitBasicBlock(rmw.getIterator(), "added");
  Function& function = *before->getParent();
  auto* loop = BasicBlock::Create(function.getContext(), "add", &function, after);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> b(before);
  b.SetCurrentDebugLocation(rmw.getDebugLoc());
  auto* first = b.CreateAlignedLoad(b.getInt32Ty(), rmw.getPointerOperand(), rmw.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, rmw.getSyncScopeID());
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode* bits = b.CreatePHI(b.getInt32Ty(), 2);
  bits->addIncoming(first, before);
  Value* found = b.CreateBitCast(bits, rmw.getType());  // what the program gets
  const bool flushes = rmw.hasMetadata("ww.ftz");
  Value* sum = canonical_sum(b, flushes ? flush(b, found) : found, rmw.getValOperand());
  if (flushes) sum = flush(b, sum);
  auto* exchange = b.CreateAtomicCmpXchg(
      rmw.getPointerOperand(), bits, b.CreateBitCast(sum, b.getInt32Ty()), rmw.getAlign(), rmw.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(rmw.getOrdering()), rmw.getSyncScopeID());
  bits->addIncoming(b.CreateExtractValue(exchange, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(exchange, 1), after, loop);
  rmw.replaceAllUsesWith(found);
  rmw.eraseFromParent();
}

}  // namespace

void expand_atomics(Function& function) {
  SmallVector<AtomicRMWInst*> marked;
  for (Instruction& i : instructions(function))
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&i);
        rmw && rmw->getOperation() == AtomicRMWInst::FAdd && rmw->getType()->isFloatTy())
      marked.push_back(rmw);
  for (AtomicRMWInst* rmw : marked) expand(*rmw);
}

}  // namespace warpwise::simt
