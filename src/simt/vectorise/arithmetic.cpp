#include "simt/vectorise/arithmetic.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

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

// Division of 64 bits, which no vector unit has. Numbers below 2^52 are doubles, and so small a quotient is never
// rounded up to an integer: if it is none, it lies at least 1 / dividend (relative) below the next one, and doubles lie
// closer. Where a lane has larger numbers each lane divides for itself.
Value* ArithmeticEmitter::divide_long(BinaryOperator& i) {
  const unsigned opcode = i.getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  const bool wants_rest = opcode == Instruction::URem || opcode == Instruction::SRem;
  Type *i64 = b_.getInt64Ty(), *vector_type = wide(i64), *f64 = wide(b_.getDoubleTy());
  // Inactive lanes must not trap.
  Value* dividend = b_.CreateSelect(mask_, vector(i.getOperand(0)), splat(b_.getInt64(0)));
  Value* divisor = b_.CreateSelect(mask_, vector(i.getOperand(1)), splat(b_.getInt64(1)));
  auto beyond = [&](Value* v) {
    if (is_signed) v = b_.CreateAdd(v, splat(b_.getInt64(uint64_t{1} << 52)));
    return b_.CreateLShr(v, is_signed ? 53 : 52);
  };
  Value* large = b_.CreateICmpNE(b_.CreateOr(beyond(dividend), beyond(divisor)), splat(b_.getInt64(0)));

  auto* near = BasicBlock::Create(context_, "divide.near", warp_function_);
  auto* far = BasicBlock::Create(context_, "divide.far", warp_function_);
  auto* done = BasicBlock::Create(context_, "divided", warp_function_);
  b_.CreateCondBr(b_.CreateICmpEQ(mask_bits(large), b_.getInt32(0)), near, far,
                  MDBuilder(context_).createLikelyBranchWeights());

  b_.SetInsertPoint(near);
  auto to_f64 = [&](Value* v) { return is_signed ? b_.CreateSIToFP(v, f64) : b_.CreateUIToFP(v, f64); };
  Value* quotient = b_.CreateFDiv(to_f64(dividend), to_f64(divisor));
  Value* at_once = is_signed ? b_.CreateFPToSI(quotient, vector_type) : b_.CreateFPToUI(quotient, vector_type);
  if (wants_rest) at_once = b_.CreateSub(dividend, b_.CreateMul(at_once, divisor));
  auto* near_end = b_.GetInsertBlock();
  b_.CreateBr(done);

  b_.SetInsertPoint(far);
  Value *dividends = spill(dividend, "dividends"), *divisors = spill(divisor, "divisors");
  Value* results = spill(PoisonValue::get(vector_type), "results");
  for_each_lane(mask_, [&](Value* lane) {
    set_lane(results, i64, lane,
             b_.CreateBinOp(i.getOpcode(), lane_of(dividends, i64, lane), lane_of(divisors, i64, lane)));
  });
  Value* each = unspill(results, vector_type);
  auto* far_end = b_.GetInsertBlock();
  b_.CreateBr(done);

  b_.SetInsertPoint(done);
  PHINode* result = b_.CreatePHI(vector_type, 2);
  result->addIncoming(at_once, near_end);
  result->addIncoming(each, far_end);
  return result;
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
      if (i.getType()->isIntegerTy(64) && !isa<Constant>(i.getOperand(1)))
        return set_vector(i, divide_long(cast<BinaryOperator>(i)));
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
