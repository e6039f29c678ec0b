#include "simt/vectorise/arithmetic.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warpwise::simt {

using namespace llvm;

void ArithmeticEmitter::emit(Instruction& i) {
  if (auto* extract = dyn_cast<ExtractValueInst>(&i)) return emit_field(*extract);
  if (shapes_.of(&i).is_affine()) return emit_scalar(i);
  emit_vector(i);
}

// A result of a call that returns several.
void ArithmeticEmitter::emit_field(ExtractValueInst& extract) {
  Value* field =
      extract.getNumIndices() == 1 ? w_.field(extract.getAggregateOperand(), extract.getIndices()[0]) : nullptr;
  if (!field) return fail(extract);
  if (!field->getType()->isVectorTy()) return set_scalar(extract, field);
  // A uniform field may be kept as a vector.
  if (shapes_.of(&extract).is_affine()) set_scalar(extract, b_.CreateExtractElement(field, uint64_t{0}));
  set_vector(extract, field);
}

// Uniform and affine alike: the base of an affine value is what the instruction gives on lane 0's
// operands.
void ArithmeticEmitter::emit_scalar(Instruction& i) {
  if (isa<FenceInst>(i)) {
    b_.Insert(i.clone());
    return;
  }
  if (i.getType()->isStructTy()) {
    auto* copy = b_.Insert(i.clone());
    for (Use& use : copy->operands())
      if (!isa<Function>(use.get())) use.set(scalar(use.get()));
    SmallVector<Value*, 2> fields;
    for (unsigned n = 0; n < cast<StructType>(i.getType())->getNumElements(); ++n)
      fields.push_back(b_.CreateExtractValue(copy, n));
    return set_fields(i, fields);
  }
  if (i.getOpcode() == Instruction::Or && !is_uniform(&i)) {
    // The shape was found lane by lane, and so was its base, or as a sum's: keep to that.
    if (auto base = shapes_.of(&i).constant) return set_scalar(i, ConstantInt::getSigned(i.getType(), *base));
    return set_scalar(i, b_.CreateAdd(scalar(i.getOperand(0)), scalar(i.getOperand(1)), i.getName()));
  }
  Instruction* copy = i.clone();
  for (Use& use : copy->operands())
    if (!isa<Function>(use.get()) && !isa<MetadataAsValue>(use.get())) use.set(scalar(use.get()));
  copy->dropPoisonGeneratingFlags();
  b_.Insert(copy, i.getName());
  set_scalar(i, copy);
}

void ArithmeticEmitter::emit_vector(Instruction& i) {
  auto arg = [&](unsigned n) { return vector(i.getOperand(n)); };
  switch (i.getOpcode()) {
    case Instruction::FNeg:
      return set_vector(i, b_.CreateFNeg(arg(0)));
    case Instruction::Freeze:
      return set_vector(i, b_.CreateFreeze(arg(0)));
    case Instruction::ICmp:
    case Instruction::FCmp:
      return set_vector(i, b_.CreateCmp(cast<CmpInst>(i).getPredicate(), arg(0), arg(1)));
    case Instruction::Select: {
      Value* condition = is_uniform(i.getOperand(0)) ? scalar(i.getOperand(0)) : arg(0);
      return set_vector(i, b_.CreateSelect(condition, arg(1), arg(2)));
    }
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem: {
      // A division that an inactive lane would trap on must not happen.
      Value* divisor = b_.CreateSelect(mask_, arg(1), ConstantInt::get(wide(i.getType()), 1));
      return set_vector(i, b_.CreateBinOp(cast<BinaryOperator>(i).getOpcode(), arg(0), divisor));
    }
    default:
      break;
  }
  if (auto* op = dyn_cast<BinaryOperator>(&i)) return set_vector(i, b_.CreateBinOp(op->getOpcode(), arg(0), arg(1)));
  if (auto* op = dyn_cast<CastInst>(&i))
    return set_vector(i, b_.CreateCast(op->getOpcode(), arg(0), wide(i.getType())));
  auto* call = dyn_cast<IntrinsicInst>(&i);
  if (!call) return fail(i);
  Intrinsic::ID id = call->getIntrinsicID();
  if (auto* overflow = dyn_cast<WithOverflowInst>(call)) {
    Value* both = b_.CreateIntrinsic(id, {wide(overflow->getLHS()->getType())}, {arg(0), arg(1)});
    return set_fields(i, {b_.CreateExtractValue(both, 0), b_.CreateExtractValue(both, 1)});
  }
  if (!isTriviallyVectorizable(id)) return fail(i);
  SmallVector<Type*, 2> overloads;
  SmallVector<Value*, 4> args;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) overloads.push_back(wide(i.getType()));
  for (unsigned n = 0; n < call->arg_size(); ++n) {
    bool stays_scalar = isVectorIntrinsicWithScalarOpAtArg(id, n);
    args.push_back(stays_scalar ? scalar(call->getArgOperand(n)) : vector(call->getArgOperand(n)));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(n))) overloads.push_back(args.back()->getType());
  }
  set_vector(i, b_.CreateIntrinsic(id, overloads, args));
}

}  // namespace warpwise::simt
