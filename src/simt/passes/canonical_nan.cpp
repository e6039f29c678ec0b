#include "simt/passes/canonical_nan.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "simt/passes/dialect_calls.h"

namespace warpwise::simt {

namespace {

using llvm::Instruction;
using llvm::Value;

// What a float may be: nothing but moved bits, nothing but results, or both.
enum Origin : unsigned { kNeither = 0, kMoved = 1, kComputed = 2, kBoth = 3 };

bool is_intrinsic(Value* value, llvm::Intrinsic::ID id) {
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  return intrinsic && intrinsic->getIntrinsicID() == id;
}

// What neg and abs are done to.
Value* without_signs(Value* value) {
  for (;;) {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    if (!inst || !(inst->getOpcode() == Instruction::FNeg || is_intrinsic(inst, llvm::Intrinsic::fabs))) return value;
    value = inst->getOperand(0);
  }
}

bool makes_new_value(Instruction* inst) {
  switch (inst->getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
    case Instruction::FRem:
    case Instruction::FNeg:
    case Instruction::FPExt: return true;
    case Instruction::FPTrunc: return !inst->getOperand(0)->getType()->isDoubleTy();
    case Instruction::Call: {
      auto dialect = dialect_of(inst);
      return llvm::isa<llvm::IntrinsicInst>(inst) || dialect == Dialect::MinF32 || dialect == Dialect::MaxF32;
    }
    default: return false;  // loads, bit casts, atomics, conversions from integers: never an arithmetic NaN
  }
}

class Marks {
 public:
  explicit Marks(llvm::Function& function) : function_(function) {}

  void run() {
    llvm::SmallVector<llvm::CallInst*> marks;
    for (llvm::BasicBlock& block : function_) {
      for (Instruction& inst : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("ww.canonical.")) {
          marks.push_back(call);
        }
      }
    }
    for (llvm::CallInst* mark : marks) {
      Value* value = mark->getArgOperand(0);
      mark->replaceAllUsesWith(as_seen(value));
      mark->eraseFromParent();
    }
  }

 private:
  struct Trace {
    unsigned origin = kNeither;
    bool cyclic = false;
  };

  // Follows phis, selects and sign changes back to where the value comes from.
  void trace(Value* value, Trace& found, llvm::SmallPtrSetImpl<Value*>& active, llvm::SmallPtrSetImpl<Value*>& done) {
    if (active.contains(value)) {
      found.cyclic = true;
      return;
    }
    if (!done.insert(value).second) return;
    auto* inst = llvm::dyn_cast<Instruction>(value);
    if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value)) {
      if (constant->isNaN()) found.origin |= kMoved;
      return;  // other constants fit both kinds
    }
    if (!inst) {
      found.origin |= kMoved;
      return;
    }
    active.insert(value);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(inst)) {
      for (Value* incoming : phi->incoming_values()) trace(incoming, found, active, done);
    } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(inst)) {
      trace(select->getTrueValue(), found, active, done);
      trace(select->getFalseValue(), found, active, done);
    } else if (makes_new_value(inst)) {
      found.origin |= kComputed;
      // A loop that computes: x = phi(c, x + 1). The phi is met again below the addition.
      if (reaches_phi(inst, active)) found.cyclic = true;
    } else {
      found.origin |= kMoved;
    }
    active.erase(value);
  }

  // Does computing `inst` use a phi that is being traced? Bounded: a wrong no costs a select in a loop.
  bool reaches_phi(Instruction* inst, const llvm::SmallPtrSetImpl<Value*>& active) {
    llvm::SmallVector<Instruction*, 16> work{inst};
    llvm::SmallPtrSet<Value*, 32> seen;
    while (!work.empty() && seen.size() < 64) {
      Instruction* at = work.pop_back_val();
      for (Value* operand : at->operands()) {
        auto* next = llvm::dyn_cast<Instruction>(operand);
        if (!next || !next->getType()->isFloatingPointTy() || !seen.insert(next).second) continue;
        if (llvm::isa<llvm::PHINode>(next) && active.contains(next)) return true;
        work.push_back(next);
      }
    }
    return false;
  }

  // Whether a choice may yield what neg or abs made. Bounded: a wrong no costs the sign of a NaN.
  bool chooses_sign_change(Value* value) {
    llvm::SmallVector<Value*, 16> work{value};
    llvm::SmallPtrSet<Value*, 32> seen;
    while (!work.empty() && seen.size() < 64) {
      Value* at = work.pop_back_val();
      if (without_signs(at) != at) return true;
      if (!seen.insert(at).second) continue;
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(at)) work.append(phi->value_op_begin(), phi->value_op_end());
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(at)) work.append({select->getTrueValue(), select->getFalseValue()});
    }
    return false;
  }

  // f64: behind neg and abs, a NaN is the one before, made quiet.
  Value* with_own_sign(Value* value) {
    if (auto known = canonical_.find(value); known != canonical_.end()) return known->second;
    auto* inst = llvm::dyn_cast<Instruction>(value);
    Value* source = without_signs(value);
    if (!inst) return value;
    if (source == value) {
      const bool choice = llvm::isa<llvm::PHINode>(inst) || llvm::isa<llvm::SelectInst>(inst);
      return choice && chooses_sign_change(inst) ? canonical_[value] = push_down(inst) : value;
    }
    Value* before = with_own_sign(source);
    llvm::IRBuilder<> builder(inst->getParent(), std::next(inst->getIterator()));
    builder.SetCurrentDebugLocation(inst->getDebugLoc());
    Value* bits = builder.CreateBitCast(before, builder.getInt64Ty());
    Value* quiet = builder.CreateBitCast(builder.CreateOr(bits, uint64_t{1} << 51), value->getType());
    return canonical_[value] = builder.CreateSelect(builder.CreateFCmpUNO(source, source), quiet, value);
  }

  Value* as_seen(Value* value) { return value->getType()->isDoubleTy() ? with_own_sign(value) : canonical(value); }

  Value* canonical(Value* value) {
    if (auto known = canonical_.find(value); known != canonical_.end()) return known->second;
    Trace found;
    llvm::SmallPtrSet<Value*, 8> active;
    llvm::SmallPtrSet<Value*, 16> done;
    trace(value, found, active, done);
    Value* result;
    if (!(found.origin & kComputed)) {
      result = value;
    } else if (!(found.origin & kMoved)) {
      result = select_canonical(llvm::cast<Instruction>(value), nullptr);
    } else if (found.cyclic) {
      result = select_canonical(llvm::cast<Instruction>(value), was_computed(value));
    } else {
      result = push_down(llvm::cast<Instruction>(value));
    }
    return canonical_[value] = result;
  }

  // A copy of the choice (or sign change) over canonical inputs.
  Value* push_down(Instruction* inst) {
    Instruction* copy = inst->clone();
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(copy)) {
      phi->insertBefore(inst->getIterator());
      canonical_[inst] = phi;
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k) {
        phi->setIncomingValue(k, as_seen(phi->getIncomingValue(k)));
      }
      return phi;
    }
    copy->insertAfter(inst);
    if (llvm::isa<llvm::SelectInst>(copy)) {
      copy->setOperand(1, as_seen(copy->getOperand(1)));
      copy->setOperand(2, as_seen(copy->getOperand(2)));
    } else {
      copy->setOperand(0, as_seen(copy->getOperand(0)));
    }
    return copy;
  }

  // Whether this time `value` is a result: an i1 that takes the same way.
  Value* was_computed(Value* value) {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    auto constant = [&](bool is) { return llvm::ConstantInt::getBool(function_.getContext(), is); };
    if (!inst) return constant(false);
    if (auto known = computed_.find(value); known != computed_.end()) return known->second;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(inst)) {
      auto* which = llvm::PHINode::Create(constant(true)->getType(), phi->getNumIncomingValues(), "computed", phi->getIterator());
      computed_[value] = which;
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k) which->addIncoming(was_computed(phi->getIncomingValue(k)), phi->getIncomingBlock(k));
      return which;
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(inst)) {
      Value *yes = was_computed(select->getTrueValue()), *no = was_computed(select->getFalseValue());
      llvm::IRBuilder<> builder(select);
      return computed_[value] = yes == no ? yes : builder.CreateSelect(select->getCondition(), yes, no);
    }
    return constant(makes_new_value(inst));
  }

  // `computed`: whether it is a result; null: it always is.
  Value* select_canonical(Instruction* value, Value* computed) {
    llvm::IRBuilder<> builder(value->getContext());
    if (llvm::isa<llvm::PHINode>(value)) {
      builder.SetInsertPoint(value->getParent(), value->getParent()->getFirstInsertionPt());
    } else {
      builder.SetInsertPoint(value->getParent(), std::next(value->getIterator()));
    }
    builder.SetCurrentDebugLocation(value->getDebugLoc());
    llvm::Type* type = value->getType();
    llvm::APInt bits = type->isHalfTy() ? llvm::APInt(16, 0x7fff) : llvm::APInt(32, 0x7fffffff);
    Value* nan = llvm::ConstantFP::get(type, llvm::APFloat(type->getFltSemantics(), bits));
    Value* is_nan = builder.CreateFCmpUNO(value, value);
    return builder.CreateSelect(computed ? builder.CreateAnd(is_nan, computed) : is_nan, nan, value);
  }

  llvm::Function& function_;
  llvm::DenseMap<Value*, Value*> canonical_, computed_;
};

}  // namespace

void canonical_nan(llvm::Function& function) { Marks(function).run(); }

}  // namespace warpwise::simt
