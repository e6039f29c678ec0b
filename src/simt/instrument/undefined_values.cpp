#include "simt/instrument/undefined_values.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// What moves the bits of its operands, and by how much: undefined bits move alike.
bool moves_bits(Intrinsic::ID id) {
  return id == Intrinsic::bswap || id == Intrinsic::bitreverse || id == Intrinsic::fshl || id == Intrinsic::fshr;
}

bool is_zero(const Value* value) {
  auto* constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

}  // namespace

UndefinedValues::UndefinedValues(Function& function, const Shuffles& shuffles)
    : function_(function), shuffles_(shuffles), b_(function.getContext()) {
  find_dependent_values();
  if (single_.empty()) return;
  ReversePostOrderTraversal<Function*> order(&function);
  for (BasicBlock* block : order) {
    SmallVector<Instruction*, 32> dependent;
    for (Instruction& i : *block)
      if (single_.contains(&i)) dependent.push_back(&i);
    for (Instruction* i : dependent) insert(*i);
  }
  fill_phis();
}

Value* UndefinedValues::bits_of(Value* value) const {
  Value* bits = bits_.lookup(value);
  return bits && is_zero(bits) ? nullptr : bits;
}

Value* UndefinedValues::source_of(Value* value) const { return sources_.lookup(value); }

void UndefinedValues::replace_registers_by_zero() {
  for (Instruction& i : make_early_inc_range(instructions(function_))) {
    if (dialect_of(&i) != Dialect::Undefined) continue;
    i.replaceAllUsesWith(Constant::getNullValue(i.getType()));
    i.eraseFromParent();
  }
}

// --- which values depend on undefined registers and absent lanes

void UndefinedValues::find_dependent_values() {
  SmallVector<Instruction*, 32> work;
  bool first = true;
  for (Instruction& i : instructions(function_)) {
    auto* call = dyn_cast<CallInst>(&i);
    if (!call || call->use_empty()) continue;
    Value* number = nullptr;
    if (dialect_of(call) == Dialect::Undefined)
      number = call->getArgOperand(0);
    else if (shuffles_.contains(call))
      number = b_.getInt64(number_of_shuffle(*call));
    else
      continue;
    const auto function = uint32_t(cast<ConstantInt>(number)->getZExtValue() >> 32);
    function_of_all_ = first || function_of_all_ == function ? std::optional(function) : std::nullopt;
    first = false;
    single_[call] = number;
    work.push_back(call);
  }
  while (!work.empty()) {
    Instruction* value = work.pop_back_val();
    Value* const source = single_[value];
    for (User* user : value->users()) {
      auto* i = cast<Instruction>(user);
      if (!may_pass_bits(*i, *value)) continue;
      auto [known, fresh] = single_.try_emplace(i, source);
      const bool merges = !fresh && known->second && known->second != source;
      if (merges) known->second = nullptr;
      if (fresh || merges) work.push_back(i);
    }
  }
}

// Whether undefined bits of an operand may be some of the result's.
bool UndefinedValues::may_pass_bits(const Instruction& user, const Value& operand) const {
  if (!isa<StructType>(user.getType()) && !has_shadow(user.getType())) return false;
  if (isa<PHINode, SelectInst, BinaryOperator, UnaryOperator, CastInst, CmpInst, FreezeInst>(user)) return true;
  // Of a struct only the first field has undefined bits; the others are flags, such as whether a shuffle had a source.
  if (auto* field = dyn_cast<ExtractValueInst>(&user)) return field->getIndices()[0] == 0;
  auto* call = dyn_cast<CallInst>(&user);
  if (!call) return false;
  if (auto which = dialect_of(call)) {
    if (is_shuffle(*which) || *which == Dialect::Ballot) return call->getArgOperand(0) == &operand;
    return class_of(*which) == DialectClass::Pure && has_shadow(user.getType());
  }
  return isa<IntrinsicInst>(call) && call->doesNotAccessMemory();
}

bool UndefinedValues::has_shadow(Type* type) const {
  return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
}

IntegerType* UndefinedValues::shadow_type(Type* type) const {
  if (auto* fields = dyn_cast<StructType>(type)) type = fields->getElementType(0);
  if (type->isPointerTy()) return Type::getInt64Ty(type->getContext());
  return IntegerType::get(type->getContext(), unsigned(type->getPrimitiveSizeInBits().getFixedValue()));
}

// --- their undefined bits

void UndefinedValues::insert(Instruction& i) {
  if (auto* phi = dyn_cast<PHINode>(&i)) {
    b_.SetInsertPoint(phi);
    bits_[phi] = b_.CreatePHI(shadow_type(phi->getType()), phi->getNumIncomingValues(), "undefined");
    Value* single = single_.lookup(phi);
    sources_[phi] = single ? single : b_.CreatePHI(b_.getInt64Ty(), phi->getNumIncomingValues(), "source");
    return;
  }
  b_.SetInsertPoint(i.getNextNode());
  b_.SetCurrentDebugLocation(i.getDebugLoc());
  bits_[&i] = compute(i);
  Value* single = single_.lookup(&i);
  sources_[&i] = single ? single : choose_source(i);
}

void UndefinedValues::fill_phis() {
  SmallVector<PHINode*, 16> phis;
  for (auto& [value, bits] : bits_)
    if (auto* phi = dyn_cast<PHINode>(value)) phis.push_back(phi);
  for (PHINode* phi : phis) {
    auto* bits = cast<PHINode>(bits_[phi]);
    auto* source = single_.lookup(phi) ? nullptr : cast<PHINode>(sources_[phi]);
    for (unsigned n = 0; n < phi->getNumIncomingValues(); ++n) {
      Value* in = phi->getIncomingValue(n);
      bits->addIncoming(shadow_or_zero(in), phi->getIncomingBlock(n));
      Value* from = sources_.lookup(in);
      if (source) source->addIncoming(from ? from : b_.getInt64(0), phi->getIncomingBlock(n));
    }
  }
}

Value* UndefinedValues::shadow_or_zero(Value* value) const {
  Value* bits = bits_.lookup(value);
  return bits ? bits : ConstantInt::get(shadow_type(value->getType()), 0);
}

Value* UndefinedValues::either(Value* a, Value* b) { return is_zero(a) ? b : is_zero(b) ? a : b_.CreateOr(a, b); }
Value* UndefinedValues::both(Value* a, Value* b) { return is_zero(a) ? a : is_zero(b) ? b : b_.CreateAnd(a, b); }

Value* UndefinedValues::as_integer(Value* value) {
  if (value->getType()->isPointerTy()) return b_.CreatePtrToInt(value, shadow_type(value->getType()));
  return b_.CreateBitCast(value, shadow_type(value->getType()));
}

// Of several operands with undefined bits the last one that has some; of a choice the one that is chosen; of a shuffle
// the other lane's.
Value* UndefinedValues::choose_source(Instruction& i) {
  if (auto* select = dyn_cast<SelectInst>(&i)) return source_of_choice(*select);
  if (auto which = dialect_of(&i); which && is_shuffle(*which)) return shuffled_source(cast<CallInst>(i));
  Value* chosen = nullptr;
  for (Value* operand : i.operands()) {
    Value *bits = bits_of(operand), *source = sources_.lookup(operand);
    if (!bits || !source || source == chosen) continue;
    chosen = chosen ? b_.CreateSelect(b_.CreateIsNotNull(bits), source, chosen) : source;
  }
  return chosen ? chosen : b_.getInt64(0);
}

Value* UndefinedValues::source_or_zero(Value* value) const {
  Value* source = sources_.lookup(value);
  return source ? source : ConstantInt::get(Type::getInt64Ty(function_.getContext()), 0);
}

Value* UndefinedValues::source_of_choice(SelectInst& select) {
  Value *a = source_or_zero(select.getTrueValue()), *b = source_or_zero(select.getFalseValue());
  Value *c = select.getCondition(), *chosen = a == b ? a : b_.CreateSelect(c, a, b);
  Value* undefined = bits_of(c);
  return undefined ? b_.CreateSelect(undefined, source_or_zero(c), chosen) : chosen;
}

// Shuffles move 32 bits. The lower half goes with 1 added: who gets 0 reads from an absent lane, and this shuffle is
// the source.
Value* UndefinedValues::shuffled_source(CallInst& shuffle) {
  Value *source = source_or_zero(shuffle.getArgOperand(0)), *one = b_.getInt32(1);
  Value* low = move_beside(shuffle, b_.CreateAdd(b_.CreateTrunc(source, b_.getInt32Ty()), one));
  Value* high = function_of_all_ ? b_.getInt32(*function_of_all_)
                                 : move_beside(shuffle, b_.CreateTrunc(b_.CreateLShr(source, 32), b_.getInt32Ty()));
  auto wide = [&](Value* half) { return b_.CreateZExt(half, b_.getInt64Ty()); };
  Value* moved = b_.CreateOr(b_.CreateShl(wide(high), 32), wide(b_.CreateSub(low, one)));
  if (!shuffles_.contains(&shuffle)) return moved;
  return b_.CreateSelect(b_.CreateIsNull(low), b_.getInt64(number_of_shuffle(shuffle)), moved);
}

Value* UndefinedValues::of_shuffle(CallInst& shuffle) {
  Value* bits = shadow_or_zero(shuffle.getArgOperand(0));
  if (!shuffles_.contains(&shuffle)) return move_beside(shuffle, bits);
  return b_.CreateNot(move_beside(shuffle, b_.CreateNot(bits)));
}

// What `shuffle` gives for `value` in place of its own.
Value* UndefinedValues::move_beside(CallInst& shuffle, Value* value) {
  auto* copy = cast<CallInst>(shuffle.clone());
  copy->setArgOperand(0, value);
  copy->setMetadata(kAddedCollective, MDNode::get(shuffle.getContext(), {}));
  b_.Insert(copy, "undefined");
  return copy->getType()->isStructTy() ? b_.CreateExtractValue(copy, 0) : copy;
}

Value* UndefinedValues::compute(Instruction& i) {
  if (dialect_of(&i) == Dialect::Undefined) return Constant::getAllOnesValue(i.getType());
  if (auto* op = dyn_cast<BinaryOperator>(&i)) return of_binary(*op);
  if (auto* cast = dyn_cast<CastInst>(&i)) return of_cast(*cast);
  if (auto* compare = dyn_cast<CmpInst>(&i)) return of_comparison(*compare);
  if (auto* select = dyn_cast<SelectInst>(&i)) return of_choice(*select);
  if (isa<FreezeInst, ExtractValueInst>(i)) return shadow_or_zero(i.getOperand(0));
  if (auto* call = dyn_cast<CallInst>(&i)) return of_call(*call);
  return of_any_operand(i);
}

Value* UndefinedValues::of_binary(BinaryOperator& op) {
  Value *a = op.getOperand(0), *b = op.getOperand(1);
  Value *sa = shadow_or_zero(a), *sb = shadow_or_zero(b);
  switch (op.getOpcode()) {
    // A bit that decides the result alone, a zero or a one, hides what the other operand has there.
    case Instruction::And:
      return either(both(sa, sb), either(both(sb, a), both(sa, b)));
    case Instruction::Or:
      return either(both(sa, sb), either(both(sb, b_.CreateNot(a)), both(sa, b_.CreateNot(b))));
    case Instruction::Xor:
      return either(sa, sb);
    case Instruction::Add:
    case Instruction::Sub:
      return of_sum(op, sa, sb);
    case Instruction::Mul: {
      // The lowest undefined bit reaches all above it.
      Value* any = either(sa, sb);
      return b_.CreateOr(any, b_.CreateNeg(any));
    }
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      Value* moved = b_.CreateBinOp(op.getOpcode(), sa, b);
      return bits_of(b) ? b_.CreateOr(moved, b_.CreateSExt(b_.CreateIsNotNull(sb), sa->getType())) : moved;
    }
    default:
      return of_any_operand(op);
  }
}

// Adds once with all undefined bits 0 and once with all 1. The results differ where a carry from one may arrive.
Value* UndefinedValues::of_sum(BinaryOperator& op, Value* sa, Value* sb) {
  Value *a = op.getOperand(0), *b = op.getOperand(1);
  auto least = [&](Value* v, Value* s) { return is_zero(s) ? v : b_.CreateAnd(v, b_.CreateNot(s)); };
  auto most = [&](Value* v, Value* s) { return either(v, s); };
  const bool adds = op.getOpcode() == Instruction::Add;
  Value* low = b_.CreateBinOp(op.getOpcode(), least(a, sa), adds ? least(b, sb) : most(b, sb));
  Value* high = b_.CreateBinOp(op.getOpcode(), most(a, sa), adds ? most(b, sb) : least(b, sb));
  return b_.CreateOr(either(sa, sb), b_.CreateXor(low, high));
}

Value* UndefinedValues::of_cast(CastInst& cast) {
  Value* from = shadow_or_zero(cast.getOperand(0));
  IntegerType* to = shadow_type(cast.getType());
  switch (cast.getOpcode()) {
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::BitCast:
    case Instruction::IntToPtr:
    case Instruction::PtrToInt:
      return b_.CreateZExtOrTrunc(from, to);
    case Instruction::SExt:
      return b_.CreateSExt(from, to);
    default:
      return of_any_operand(cast);
  }
}

Value* UndefinedValues::of_comparison(CmpInst& compare) {
  Value *a = compare.getOperand(0), *b = compare.getOperand(1);
  Value *sa = shadow_or_zero(a), *sb = shadow_or_zero(b);
  auto* numbers = dyn_cast<ICmpInst>(&compare);
  if (!numbers) return of_any_operand(compare);
  // Two bits that are defined and differ decide.
  if (numbers->isEquality()) {
    Value* any = either(sa, sb);
    Value* differ = b_.CreateAnd(b_.CreateXor(as_integer(a), as_integer(b)), b_.CreateNot(any));
    return b_.CreateAnd(b_.CreateIsNotNull(any), b_.CreateIsNull(differ));
  }
  return of_any_operand(compare);
}

Value* UndefinedValues::of_choice(SelectInst& select) {
  Value *a = select.getTrueValue(), *b = select.getFalseValue(), *c = select.getCondition();
  Value *sa = shadow_or_zero(a), *sb = shadow_or_zero(b);
  Value* chosen = b_.CreateSelect(c, sa, sb);
  if (!bits_of(c)) return chosen;
  // Whichever it is, the bits that are the same in both are known.
  Value* differ = either(either(sa, sb), b_.CreateXor(as_integer(a), as_integer(b)));
  return b_.CreateSelect(shadow_or_zero(c), differ, chosen);
}

Value* UndefinedValues::of_call(CallInst& call) {
  auto which = dialect_of(&call);
  if (which && is_shuffle(*which)) return of_shuffle(call);
  if (which == Dialect::Ballot) return move_beside(call, shadow_or_zero(call.getArgOperand(0)));
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call); intrinsic && moves_bits(intrinsic->getIntrinsicID())) {
    const bool shifts = call.arg_size() == 3;
    if (!shifts || !bits_of(call.getArgOperand(2))) {
      SmallVector<Value*, 3> args;
      for (unsigned n = 0; n < call.arg_size(); ++n)
        args.push_back(shifts && n == 2 ? call.getArgOperand(n) : shadow_or_zero(call.getArgOperand(n)));
      return b_.CreateIntrinsic(intrinsic->getIntrinsicID(), {call.getType()}, args);
    }
  }
  return of_any_operand(call);
}

// All bits, if any operand has one.
Value* UndefinedValues::of_any_operand(Instruction& i) {
  Value* any = b_.getFalse();
  for (Value* operand : i.operands())
    if (Value* bits = bits_of(operand)) any = either(any, b_.CreateIsNotNull(bits));
  return b_.CreateSExt(any, shadow_type(i.getType()));
}

}  // namespace warpwise::simt
