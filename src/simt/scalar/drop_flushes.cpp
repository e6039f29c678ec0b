#include "simt/scalar/drop_flushes.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// What is flushed, if a value is a flush as lowering writes it: no bit of the exponent is set ? zero of x's sign : x.
Value* flushed_by(Value* value) {
  using namespace PatternMatch;
  constexpr uint32_t kExponent = 0x7f80'0000;
  CmpInst::Predicate predicate;
  Value *x, *bits;
  if (!match(value, m_Select(m_ICmp(predicate, m_And(m_Value(bits), m_SpecificInt(kExponent)), m_Zero()),
                             m_CopySign(m_AnyZeroFP(), m_Value(x)), m_Deferred(x))))
    return nullptr;
  return predicate == CmpInst::ICMP_EQ && match(bits, m_BitCast(m_Specific(x))) ? x : nullptr;
}

// The operands of which one is the value, but for its sign; nothing where it is something else.
std::optional<SmallVector<Value*, 4>> chosen_from(Value* value) {
  SmallVector<Value*, 4> from;
  if (auto* phi = dyn_cast<PHINode>(value)) {
    from.append(phi->value_op_begin(), phi->value_op_end());
  } else if (auto* select = dyn_cast<SelectInst>(value)) {
    from.append({select->getTrueValue(), select->getFalseValue()});
  } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(value)) {
    switch (intrinsic->getIntrinsicID()) {
      case Intrinsic::fabs:
      case Intrinsic::copysign:
        from.push_back(intrinsic->getArgOperand(0));
        break;
      case Intrinsic::minnum:
      case Intrinsic::maxnum:
      case Intrinsic::minimum:
      case Intrinsic::maximum:
        from.append(intrinsic->arg_begin(), intrinsic->arg_end());
        break;
      default:
        return {};
    }
  } else if (auto dialect = dialect_of(value); dialect == Dialect::MinF32 || dialect == Dialect::MaxF32) {
    from.append(cast<CallInst>(value)->arg_begin(), cast<CallInst>(value)->arg_end());
  } else if (auto* i = dyn_cast<Instruction>(value);
             i && (i->getOpcode() == Instruction::FNeg || i->getOpcode() == Instruction::Freeze)) {
    from.push_back(i->getOperand(0));
  } else {
    return {};
  }
  return from;
}

// Numbers that are never subnormal, whatever they are made of. Roots of subnormal numbers are above 2^-75.
bool is_never_subnormal(Value* value, bool by_processor) {
  if (auto* constant = dyn_cast<ConstantFP>(value)) return !constant->getValueAPF().isDenormal();
  if (isa<UndefValue>(value) || flushed_by(value)) return true;
  if (auto* i = dyn_cast<CastInst>(value))
    return i->getOpcode() == Instruction::SIToFP || i->getOpcode() == Instruction::UIToFP ||
           (i->getOpcode() == Instruction::FPExt && i->getSrcTy()->isHalfTy());
  if (auto* operation = dyn_cast<BinaryOperator>(value))
    return by_processor && operation->getOpcode() != Instruction::FRem;
  auto* intrinsic = dyn_cast<IntrinsicInst>(value);
  if (!intrinsic) return false;
  return intrinsic->getIntrinsicID() == Intrinsic::sqrt ||
         (by_processor && intrinsic->getIntrinsicID() == Intrinsic::fma);
}

// Values that may be subnormal: all that are neither of the above nor chosen from such. Found from the choices that
// have an operand of another kind on, so that a loop does not speak against itself.
SmallPtrSet<Value*, 32> may_be_subnormal(Function& function, bool by_processor) {
  SmallPtrSet<Value*, 32> may;
  SmallVector<Value*> work;
  auto add = [&](Value* value) {
    if (may.insert(value).second) work.push_back(value);
  };
  for (Argument& argument : function.args()) add(&argument);
  for (Instruction& i : instructions(function)) {
    if (!i.getType()->isFloatTy()) continue;
    if (!is_never_subnormal(&i, by_processor) && !chosen_from(&i)) add(&i);
    if (flushed_by(&i)) continue;
    const auto from = chosen_from(&i);
    if (from && any_of(*from, [&](Value* v) { return isa<Constant>(v) && !is_never_subnormal(v, by_processor); }))
      add(&i);
  }
  while (!work.empty()) {
    Value* value = work.pop_back_val();
    for (User* user : value->users()) {
      if (!user->getType()->isFloatTy() || flushed_by(user)) continue;
      const auto from = chosen_from(user);
      if (from && is_contained(*from, value)) add(user);
    }
  }
  return may;
}

}  // namespace

bool drop_flushes(Function& function, bool by_processor) {
  SmallVector<Instruction*> flushes;
  for (Instruction& i : instructions(function))
    if (flushed_by(&i)) flushes.push_back(&i);
  if (flushes.empty()) return false;
  const SmallPtrSet<Value*, 32> may = may_be_subnormal(function, by_processor);
  bool dropped = false;
  for (Instruction* flush : flushes) {
    Value* x = flushed_by(flush);  // no longer what it was, if that was a flush
    if (may.contains(x) || (isa<Constant>(x) && !is_never_subnormal(x, by_processor))) continue;
    flush->replaceAllUsesWith(x);
    dropped = true;  // what is left of it is dead
  }
  return dropped;
}

void mark_as_flushing(Module& module) {
  for (Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr("denormal-fp-math-f32", "preserve-sign,ieee");
}

}  // namespace warpwise::simt
