// Arithmetic: uniform and affine values as scalars, varying ones as vectors.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstddef>

#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

// --- lanes --------------------------------------------------------------------------------------

Type* Vectoriser::wide(Type* scalar) const { return FixedVectorType::get(scalar, kLanes); }

Value* Vectoriser::lanes_constant(const LaneConstants& lanes, Type* element) const {
  SmallVector<Constant*, kLanes> list;
  for (int64_t v : lanes) list.push_back(ConstantInt::getSigned(element, v));
  return ConstantVector::get(list);
}

Value* Vectoriser::splat(Value* s) { return b_.CreateVectorSplat(kLanes, s); }
Value* Vectoriser::mask_bits(Value* mask) {
  // Without the target's sizes a cast of constants would stay an expression, which passes do not take for all ones.
  if (auto* known = dyn_cast<Constant>(mask); known && known->isAllOnesValue()) return b_.getInt32(~0u);
  return b_.CreateBitCast(mask, b_.getInt32Ty());
}
Value* Vectoriser::bits_mask(Value* bits) { return b_.CreateBitCast(bits, wide(b_.getInt1Ty())); }
Value* Vectoriser::any(Value* mask) { return b_.CreateICmpNE(mask_bits(mask), b_.getInt32(0)); }

// --- the values of the scalar function ------------------------------------------------------------

void Vectoriser::anchor(LaneVector& w) {
  w.anchor_block = b_.GetInsertBlock();
  w.anchor = w.anchor_block->empty() ? nullptr : &w.anchor_block->back();
}

void Vectoriser::go_to_anchor(const LaneVector& w) {
  if (!w.anchor || isa<PHINode>(w.anchor))
    b_.SetInsertPoint(w.anchor_block, w.anchor_block->getFirstInsertionPt());
  else
    b_.SetInsertPoint(w.anchor_block, std::next(w.anchor->getIterator()));
}

void Vectoriser::set_scalar(Instruction& i, Value* v) {
  LaneVector& w = values_[&i];
  w.scalar = v;
  anchor(w);
}

void Vectoriser::set_vector(Instruction& i, Value* v) { values_[&i].vector = v; }

void Vectoriser::set_fields(Instruction& call, ArrayRef<Value*> fields) {
  fields_[&call].assign(fields.begin(), fields.end());
}

Value* Vectoriser::scalar(Value* v) {
  if (isa<Constant>(v)) return v;
  Value*& s = values_[v].scalar;
  if (!s) {
    if (failure_.empty()) failure_ = "the scalar of a varying value was asked for";
    s = PoisonValue::get(v->getType());
  }
  return s;
}

Value* Vectoriser::coefficient(const Coefficient& c, Type* type) {
  if (!c.value) return ConstantInt::get(type, 1);
  Value* s = scalar(c.value);
  switch (c.convert) {
    case Coefficient::Convert::None:
      return s;
    case Coefficient::Convert::SignExtend:
      return b_.CreateSExt(s, type);
    case Coefficient::Convert::Truncate:
      return b_.CreateTrunc(s, type);
  }
  return s;
}

Value* Vectoriser::affine_vector(const Shape& shape, Value* base, Type* type) {
  Value* lanes = splat(base);
  for (const Term& t : shape.terms) {
    Value* offsets = lanes_constant(t.lanes, type);
    if (t.coefficient.value) offsets = b_.CreateMul(splat(coefficient(t.coefficient, type)), offsets);
    lanes = b_.CreateAdd(lanes, offsets);
  }
  return lanes;
}

Value* Vectoriser::corrected(const Shape& shape, Value* lanes, Type* type) {
  for (const Correction& c : shape.corrections) {
    auto* extension = cast<CastInst>(c.extension);
    Value* truth = b_.CreateCast(extension->getOpcode(), vector(extension->getOperand(0)), wide(extension->getType()));
    Shape affine = shapes_.of(extension);
    Value* assumed = affine_vector(affine, scalar(extension), extension->getType());
    Value* difference = b_.CreateSub(truth, assumed);
    if (difference->getType() != wide(type)) difference = b_.CreateTrunc(difference, wide(type));
    lanes = b_.CreateAdd(lanes, b_.CreateMul(difference, splat(ConstantInt::getSigned(type, c.multiplier))));
  }
  return lanes;
}

Value* Vectoriser::vector(Value* v) {
  if (auto* c = dyn_cast<Constant>(v)) return ConstantVector::getSplat(ElementCount::getFixed(kLanes), c);
  LaneVector& w = values_[v];
  if (w.vector) return w.vector;
  if (!w.scalar) {  // a value that has no vector form, such as a pair: give up on the mode
    if (failure_.empty()) {
      raw_string_ostream out(failure_);
      out << "cannot be vectorised:" << *v;
    }
    return w.vector = PoisonValue::get(wide(v->getType()->isStructTy() ? b_.getInt32Ty() : v->getType()));
  }
  const Shape shape = shapes_.of(v);
  LaneVector where = w;
  // Extensions inside are anchored before this value: make their vectors first.
  for (const Correction& c : shape.corrections) vector(cast<CastInst>(c.extension)->getOperand(0));
  IRBuilder<>::InsertPointGuard guard(b_);
  go_to_anchor(where);
  Value* made = shape.terms.empty() && shape.corrections.empty() ? splat(where.scalar)
                                                                 : affine_vector(shape, where.scalar, v->getType());
  made = corrected(shape, made, v->getType());
  values_[v].vector = made;
  return made;
}

// --- instructions -----------------------------------------------------------------------------------

void Vectoriser::fail(Instruction& i) {
  if (!failure_.empty()) return;
  raw_string_ostream out(failure_);
  out << "cannot be vectorised:" << i;
  if (!i.getType()->isVoidTy())
    set_vector(i, PoisonValue::get(wide(i.getType()->isStructTy() ? b_.getInt32Ty() : i.getType())));
}

void Vectoriser::emit_instruction(Instruction& i) {
  if (!failure_.empty()) {
    // Keep going without sense until the caller throws the function away.
    if (!i.getType()->isVoidTy() && !i.getType()->isStructTy()) {
      set_scalar(i, PoisonValue::get(i.getType()));
      values_[&i].vector = PoisonValue::get(wide(i.getType()));
    } else if (i.getType()->isStructTy()) {
      SmallVector<Value*, 2> fields;
      for (Type* t : cast<StructType>(i.getType())->elements()) fields.push_back(PoisonValue::get(t));
      set_fields(i, fields);
    }
    return;
  }
  if (auto* phi = dyn_cast<PHINode>(&i)) return emit_phi(*phi);
  if (isa<IntToPtrInst>(i)) return;  // accesses look through it
  if (auto which = dialect_of(&i)) return emit_dialect(cast<CallInst>(i), *which);
  if (auto* load = dyn_cast<LoadInst>(&i)) return emit_load(*load);
  if (auto* store = dyn_cast<StoreInst>(&i)) return emit_store(*store);
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return emit_atomic_rmw(*rmw);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) return emit_compare_exchange(*exchange);
  if (isa<DbgInfoIntrinsic>(i)) return;
  if (auto* call = dyn_cast<IntrinsicInst>(&i);
      call && (call->getIntrinsicID() == Intrinsic::assume || call->isLifetimeStartOrEnd()))
    return;
  if (auto* extract = dyn_cast<ExtractValueInst>(&i)) {
    auto found = fields_.find(extract->getAggregateOperand());
    if (found == fields_.end() || extract->getNumIndices() != 1) return fail(i);
    Value* field = found->second[extract->getIndices()[0]];
    if (field->getType()->isVectorTy()) {
      if (shapes_.of(&i).is_affine()) {  // a uniform field kept as a vector
        set_scalar(i, b_.CreateExtractElement(field, uint64_t{0}));
      }
      return set_vector(i, field);
    }
    return set_scalar(i, field);
  }
  if (shapes_.of(&i).is_affine()) return emit_scalar(i);
  emit_vector(i);
}

void Vectoriser::emit_phi(PHINode& phi) {
  AllocaInst* slot = phi_slots_[&phi];
  Value* value = b_.CreateLoad(slot->getAllocatedType(), slot, phi.getName());
  if (shapes_.of(&phi).is_affine())
    set_scalar(phi, value);
  else
    set_vector(phi, value);
}

// Uniform and affine alike: the base of an affine value is what the instruction gives on lane 0's
// operands.
void Vectoriser::emit_scalar(Instruction& i) {
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

void Vectoriser::emit_vector(Instruction& i) {
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
