#include "simt/scalar/canonical_nan.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

namespace {

using llvm::Instruction;
using llvm::Value;

// What a float may be, through phis and selects: moved bits, a result; and whether a loop carries it.
enum Origin : unsigned { kNeither = 0, kMoved = 1, kComputed = 2, kCarried = 4 };

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
    case Instruction::FPExt:
      return true;
    case Instruction::FPTrunc:
      return !inst->getOperand(0)->getType()->isDoubleTy();
    case Instruction::Call: {
      auto dialect = dialect_of(inst);
      return llvm::isa<llvm::IntrinsicInst>(inst) || dialect == Dialect::MinF32 || dialect == Dialect::MaxF32;
    }
    default:
      return false;  // loads, bit casts, atomics, conversions from integers: never an arithmetic NaN
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
    if (!marks.empty()) find_origins();
    for (llvm::CallInst* mark : marks) {
      Value* value = mark->getArgOperand(0);
      mark->replaceAllUsesWith(as_seen(value));
      finish_copies();
    }
    for (llvm::CallInst* mark : marks) mark->eraseFromParent();
  }

 private:
  static bool is_choice(const Instruction& inst) {
    return llvm::isa<llvm::PHINode>(inst) || llvm::isa<llvm::SelectInst>(inst);
  }

  // Each float's origin, from those of what it may be chosen from. Chains of choices can be as long as the kernel, so
  // nothing here recurses.
  void find_origins() {
    llvm::DenseMap<llvm::BasicBlock*, unsigned> order;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_))
      order[block] = unsigned(order.size());
    llvm::SmallVector<Instruction*> work;
    for (llvm::BasicBlock& block : function_)
      for (Instruction& inst : block) {
        if (!inst.getType()->isFloatingPointTy()) continue;
        unsigned own = makes_new_value(&inst) ? kComputed : kMoved;
        if (is_choice(inst)) own = kNeither;
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&inst))
          for (llvm::BasicBlock* from : phi->blocks())
            if (order.lookup(from) >= order.lookup(&block)) own |= kCarried;
        if (is_choice(inst))
          for (Value* operand : inst.operands())
            if (!llvm::isa<Instruction>(operand)) own |= origin_of(operand);
        origins_[&inst] = own;
        work.push_back(&inst);
      }
    while (!work.empty()) {
      Instruction* inst = work.pop_back_val();
      const unsigned own = origins_.lookup(inst);
      for (llvm::User* user : inst->users()) {
        auto* choice = llvm::dyn_cast<Instruction>(user);
        if (!choice || !choice->getType()->isFloatingPointTy() || !is_choice(*choice)) continue;
        unsigned& of_choice = origins_[choice];
        if ((of_choice | own) == of_choice) continue;
        of_choice |= own;
        work.push_back(choice);
      }
    }
  }

  unsigned origin_of(Value* value) const {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value))
      return constant->isNaN() ? kMoved : kNeither;  // other constants fit both kinds
    auto known = origins_.find(value);
    return known == origins_.end() ? unsigned(kMoved) : known->second;
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
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(at))
        work.append({select->getTrueValue(), select->getFalseValue()});
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
    const unsigned origin = origin_of(value);
    Value* result;
    if (!(origin & kComputed)) {
      result = value;
    } else if (!(origin & kMoved)) {
      result = select_canonical(llvm::cast<Instruction>(value), nullptr);
    } else if (origin & kCarried) {
      result = select_canonical(llvm::cast<Instruction>(value), was_computed(value));
    } else {
      result = push_down(llvm::cast<Instruction>(value));
    }
    return canonical_[value] = result;
  }

  // A copy of the choice over canonical inputs, which it gets later (finish_copies).
  Value* push_down(Instruction* inst) {
    Instruction* copy = inst->clone();
    if (llvm::isa<llvm::PHINode>(copy))
      copy->insertBefore(inst->getIterator());
    else
      copy->insertAfter(inst);
    unfinished_.push_back({copy, &Marks::as_seen});
    return canonical_[inst] = copy;
  }

  // Whether this time `value` is a result: an i1 that takes the same way, and gets its inputs later.
  Value* was_computed(Value* value) {
    auto* inst = llvm::dyn_cast<Instruction>(value);
    auto constant = [&](bool is) { return llvm::ConstantInt::getBool(function_.getContext(), is); };
    if (!inst) return constant(false);
    if (auto known = computed_.find(value); known != computed_.end()) return known->second;
    if (!is_choice(*inst)) return constant(makes_new_value(inst));
    Instruction* which;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(inst)) {
      auto* copy =
          llvm::PHINode::Create(constant(true)->getType(), phi->getNumIncomingValues(), "computed", phi->getIterator());
      for (llvm::BasicBlock* from : phi->blocks()) copy->addIncoming(constant(false), from);
      which = copy;
    } else {
      which = llvm::SelectInst::Create(llvm::cast<llvm::SelectInst>(inst)->getCondition(), constant(true),
                                       constant(false), "computed", inst->getIterator());
    }
    unfinished_.push_back({which, &Marks::was_computed, inst});
    return computed_[value] = which;
  }

  // A copy of a choice whose inputs are still to be what `input` makes of those of `original` (null: of its own).
  struct Unfinished {
    Instruction* copy;
    Value* (Marks::*input)(Value*);
    Instruction* original = nullptr;
  };

  void finish_copies() {
    while (!unfinished_.empty()) {
      const Unfinished next = unfinished_.pop_back_val();
      const Instruction& from = next.original ? *next.original : *next.copy;
      for (unsigned k = llvm::isa<llvm::SelectInst>(next.copy) ? 1 : 0; k < next.copy->getNumOperands(); ++k)
        next.copy->setOperand(k, (this->*next.input)(from.getOperand(k)));
    }
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
  llvm::DenseMap<Value*, unsigned> origins_;
  llvm::DenseMap<Value*, Value*> canonical_, computed_;
  llvm::SmallVector<Unfinished> unfinished_;
};

}  // namespace

void canonical_nan(llvm::Function& function) { Marks(function).run(); }

}  // namespace warpwise::simt
