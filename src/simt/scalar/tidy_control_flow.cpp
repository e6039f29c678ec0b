#include "simt/scalar/tidy_control_flow.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>

#include "simt/scalar/llvm_analyses.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The integer behind a pointer of the dialect: through the casts, phis and selects that passes made of
// them.
Value* integer_of(Value* pointer, DenseMap<Value*, Value*>& known) {
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer)) return cast->getOperand(0);
  if (auto* c = dyn_cast<Constant>(pointer))
    return ConstantExpr::getPtrToInt(c, Type::getInt64Ty(pointer->getContext()));
  if (Value* v = known.lookup(pointer)) return v;
  if (auto* phi = dyn_cast<PHINode>(pointer)) {
    auto* integer =
        PHINode::Create(Type::getInt64Ty(pointer->getContext()), phi->getNumIncomingValues(), "", phi->getIterator());
    known[phi] = integer;
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n)
      integer->addIncoming(integer_of(phi->getIncomingValue(n), known), phi->getIncomingBlock(n));
    return integer;
  }
  if (auto* select = dyn_cast<SelectInst>(pointer)) {
    Value* a = integer_of(select->getTrueValue(), known);
    Value* b = integer_of(select->getFalseValue(), known);
    return known[select] = SelectInst::Create(select->getCondition(), a, b, "", select->getIterator());
  }
  return nullptr;
}

void sink_pointers(Function& function) {
  DenseMap<Value*, Value*> known;
  for (Instruction& i : make_early_inc_range(instructions(function)))
    for (Use& use : i.operands()) {
      const bool access =
          (isa<LoadInst>(i) && use.getOperandNo() == 0) || (isa<StoreInst>(i) && use.getOperandNo() == 1) ||
          (isa<AtomicRMWInst>(i) && use.getOperandNo() == 0) || (isa<AtomicCmpXchgInst>(i) && use.getOperandNo() == 0);
      if (!access || !isa<Instruction>(use.get())) continue;
      if (Value* address = integer_of(use.get(), known))
        use.set(new IntToPtrInst(address, use->getType(), "", i.getIterator()));
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (Instruction& i : make_early_inc_range(instructions(function)))
      if (i.getType()->isPointerTy() && !isa<AllocaInst>(i) && isInstructionTriviallyDead(&i)) {
        i.eraseFromParent();
        changed = true;
      }
  }
  // Phis of pointers may keep each other alive.
  for (BasicBlock& bb : function)
    for (PHINode& phi : make_early_inc_range(bb.phis()))
      if (phi.getType()->isPointerTy()) RecursivelyDeleteDeadPHINode(&phi);
}

// InstCombine merges the results {a, b} of dialect calls as whole pairs. The vectoriser knows pairs only where a call
// makes them: the phis join their fields instead.
void split_pair_phis(Function& function) {
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& bb : function)
      for (PHINode& phi : make_early_inc_range(bb.phis())) {
        auto* type = dyn_cast<StructType>(phi.getType());
        if (!type) continue;
        changed = true;
        SmallVector<PHINode*, 2> fields;
        for (unsigned n = 0; n < type->getNumElements(); ++n) {
          auto* field = PHINode::Create(type->getElementType(n), phi.getNumIncomingValues(), "", phi.getIterator());
          for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
            Value* pair = phi.getIncomingValue(k);
            Instruction* end = phi.getIncomingBlock(k)->getTerminator();
            field->addIncoming(ExtractValueInst::Create(pair, {n}, "", end->getIterator()), phi.getIncomingBlock(k));
          }
          fields.push_back(field);
        }
        for (User* user : make_early_inc_range(phi.users()))
          if (auto* extract = dyn_cast<ExtractValueInst>(user); extract && extract->getNumIndices() == 1) {
            extract->replaceAllUsesWith(fields[extract->getIndices()[0]]);
            extract->eraseFromParent();
          }
        if (!phi.use_empty()) {  // another pair phi: rebuild the pair for it
          IRBuilder<> b(&bb, bb.getFirstInsertionPt());
          Value* pair = PoisonValue::get(type);
          for (unsigned n = 0; n < fields.size(); ++n) pair = b.CreateInsertValue(pair, fields[n], n);
          phi.replaceAllUsesWith(pair);
        }
        phi.eraseFromParent();
        break;
      }
  }
  // extractvalue of a rebuilt pair is the field.
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (auto* extract = dyn_cast<ExtractValueInst>(&i))
      if (Value* field = FindInsertedValue(extract->getAggregateOperand(), extract->getIndices());
          field && field != extract) {
        extract->replaceAllUsesWith(field);
        extract->eraseFromParent();
      }
  for (Instruction& i : make_early_inc_range(instructions(function)))
    if (isa<InsertValueInst>(i) && isInstructionTriviallyDead(&i)) RecursivelyDeleteTriviallyDeadInstructions(&i);
}

}  // namespace

void tidy_control_flow(Function& function) {
  // A thread that reaches `unreachable` has ended: to the others that is the same as a return.
  for (BasicBlock& bb : function)
    if (isa<UnreachableInst>(bb.getTerminator())) {
      bb.getTerminator()->eraseFromParent();
      ReturnInst::Create(function.getContext(), &bb);
    }
  split_pair_phis(function);
  sink_pointers(function);
  LlvmAnalyses analyses;
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(function, analyses.functions);
}

}  // namespace warpwise::simt
