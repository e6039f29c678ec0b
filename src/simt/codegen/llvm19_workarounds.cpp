#include "simt/codegen/llvm19_workarounds.h"

#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>
#include <vector>

namespace warpwise::simt {

using namespace llvm;

namespace {

void load_mask_as_vector(BitCastInst& cast) {
  auto* load = dyn_cast<LoadInst>(cast.getOperand(0));
  if (!load || !load->isSimple() || !load->hasOneUse() || !cast.getType()->isVectorTy() ||
      !cast.getType()->getScalarType()->isIntegerTy(1))
    return;
  IRBuilder<> b(load);
  auto* direct = b.CreateAlignedLoad(cast.getType(), load->getPointerOperand(), load->getAlign());
  direct->copyMetadata(*load);
  cast.replaceAllUsesWith(direct);
  cast.eraseFromParent();
  load->eraseFromParent();
}

// Whether a constant mask names `lane`; a mask is a vector of bits or a number of as many. Undefined lanes are not
// named.
std::optional<bool> names_lane(Value* mask, unsigned lane) {
  if (auto* bits = dyn_cast<ConstantInt>(mask)) return bits->getValue()[lane];
  auto* constant = dyn_cast<Constant>(mask);
  Constant* bit = constant ? constant->getAggregateElement(lane) : nullptr;
  if (!isa_and_nonnull<ConstantInt>(bit) && !isa_and_nonnull<UndefValue>(bit)) return std::nullopt;
  return isa<ConstantInt>(bit) && cast<ConstantInt>(bit)->isOne();
}

bool is_mask(Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getElementType()->isIntegerTy(1) && vector->getNumElements() <= 128;
}

// `made` is the choice itself, or what turns the chosen bits into a mask. Each lane has a bit for either side that
// names it.
void test_lanes_of_chosen_side(SelectInst& choice, Instruction& made) {
  if (!is_mask(made.getType())) return;
  IRBuilder<> b(&made);
  std::vector<Constant*> sides;
  for (unsigned lane = 0; lane < cast<FixedVectorType>(made.getType())->getNumElements(); ++lane) {
    const auto if_true = names_lane(choice.getTrueValue(), lane), if_false = names_lane(choice.getFalseValue(), lane);
    if (!if_true || !if_false) return;
    sides.push_back(b.getInt8(*if_true | *if_false << 1));
  }
  Value* chosen = b.CreateVectorSplat(sides.size(), b.CreateSelect(choice.getCondition(), b.getInt8(1), b.getInt8(2)));
  Value* named = b.CreateAnd(ConstantVector::get(sides), chosen);
  made.replaceAllUsesWith(b.CreateICmpNE(named, Constant::getNullValue(named->getType())));
  made.eraseFromParent();
}

void hide_logic_from_extension(CastInst& extension) {
  auto* logic = dyn_cast<BinaryOperator>(extension.getOperand(0));
  if (!logic || !is_mask(logic->getType())) return;
  extension.setOperand(0, IRBuilder<>(&extension).CreateFreeze(logic));
}

// What selection would make of it, but before the combinations that go round in circles have seen it.
void choose_masks_by_logic(SelectInst& choice) {
  IRBuilder<> b(&choice);
  Value *mask = choice.getCondition(), *if_true = b.CreateFreeze(choice.getTrueValue()),
        *if_false = b.CreateFreeze(choice.getFalseValue());
  choice.replaceAllUsesWith(b.CreateOr(b.CreateAnd(mask, if_true), b.CreateAnd(b.CreateNot(mask), if_false)));
  choice.eraseFromParent();
}

// The lanes that `shuffle` takes from a constant operand, by an `and` and an `or` with that constant's bits.
void take_constant_lanes_by_logic(ShuffleVectorInst& shuffle) {
  if (!is_mask(shuffle.getType())) return;
  unsigned from = 1;
  if (isa<Constant>(shuffle.getOperand(0))) from = 0;
  auto* constant = dyn_cast<Constant>(shuffle.getOperand(from));
  Value* other = shuffle.getOperand(1 - from);
  if (!constant || isa<UndefValue>(constant) || isa<Constant>(other)) return;
  const int width = cast<FixedVectorType>(other->getType())->getNumElements();
  IRBuilder<> b(&shuffle);
  std::vector<Constant*> kept, ones;
  std::vector<int> lanes;
  for (int lane = 0; lane < int(shuffle.getShuffleMask().size()); ++lane) {
    const int source = shuffle.getMaskValue(lane);
    const bool of_constant = source >= 0 && source / width == int(from);
    Constant* bit = of_constant ? constant->getAggregateElement(source % width) : b.getFalse();
    if (!isa_and_nonnull<ConstantInt>(bit) && !isa_and_nonnull<UndefValue>(bit)) return;
    kept.push_back(b.getInt1(!of_constant));
    ones.push_back(b.getInt1(of_constant && isa<ConstantInt>(bit) && cast<ConstantInt>(bit)->isOne()));
    lanes.push_back(of_constant || source < 0 ? lane % width : source % width);
  }
  // Lanes of `other` that nobody asked for may be poison.
  Value* moved = b.CreateFreeze(b.CreateShuffleVector(other, lanes));
  shuffle.replaceAllUsesWith(b.CreateOr(b.CreateAnd(moved, ConstantVector::get(kept)), ConstantVector::get(ones)));
  shuffle.eraseFromParent();
}

// Bits of two values by a constant: (ones & mask) | (zeros & ~mask).
struct BitChoice {
  Value *ones, *zeros;
  Constant* mask;
};

std::optional<BitChoice> bit_choice(Value* v) {
  using namespace PatternMatch;
  Value *a = nullptr, *c = nullptr;
  Constant *mask = nullptr, *rest = nullptr;
  if (match(v, m_Or(m_And(m_Value(a), m_Constant(mask)), m_And(m_Value(c), m_Constant(rest)))))
    return rest == ConstantExpr::getNot(mask) ? std::optional(BitChoice{a, c, mask}) : std::nullopt;
  if (!match(v, m_CopySign(m_Value(a), m_Value(c)))) return std::nullopt;
  // As many integers of the floats' width: copysign takes one bit of them.
  const unsigned width = v->getType()->getScalarSizeInBits();
  Type* bits = IntegerType::get(v->getContext(), width);
  if (auto* vector = dyn_cast<VectorType>(v->getType())) bits = VectorType::get(bits, vector->getElementCount());
  return BitChoice{a, c, ConstantInt::get(bits, APInt::getSignedMaxValue(width))};
}

Value* without_casts(Value* v) {
  while (auto* cast = dyn_cast<BitCastInst>(v)) v = cast->getOperand(0);
  return v;
}

void choose_before_taking_bits(SelectInst& choice) {
  if (!choice.getCondition()->getType()->isVectorTy() || is_mask(choice.getType())) return;
  for (const bool taken_if_true : {true, false}) {
    Value* taken = without_casts(taken_if_true ? choice.getTrueValue() : choice.getFalseValue());
    Value* other = without_casts(taken_if_true ? choice.getFalseValue() : choice.getTrueValue());
    const auto bits = bit_choice(taken);
    if (!bits || bits->mask->getType()->getScalarSizeInBits() != choice.getType()->getScalarSizeInBits()) continue;
    const bool is_ones = without_casts(bits->ones) == other;
    if (!is_ones && without_casts(bits->zeros) != other) continue;
    IRBuilder<> b(&choice);
    Type* type = bits->mask->getType();
    Value *ones = b.CreateBitCast(bits->ones, type), *zeros = b.CreateBitCast(bits->zeros, type);
    auto chosen = [&](Value* v, Value* kept) {
      return taken_if_true ? b.CreateSelect(choice.getCondition(), v, kept)
                           : b.CreateSelect(choice.getCondition(), kept, v);
    };
    if (is_ones)
      zeros = chosen(zeros, ones);
    else
      ones = chosen(ones, zeros);
    Value* result = b.CreateOr(b.CreateAnd(ones, bits->mask), b.CreateAnd(zeros, ConstantExpr::getNot(bits->mask)));
    choice.replaceAllUsesWith(b.CreateBitCast(result, choice.getType()));
    choice.eraseFromParent();
    return;
  }
}

bool is_never_nan(Value* v) {
  const APFloat* number = nullptr;
  return PatternMatch::match(v, PatternMatch::m_APFloat(number)) && !number->isNaN();
}

void compare_halves_otherwise(FCmpInst& compare) {
  Value *a = compare.getOperand(0), *c = compare.getOperand(1);
  auto* type = dyn_cast<FixedVectorType>(a->getType());
  if (!type || !type->getElementType()->isHalfTy()) return;
  IRBuilder<> b(&compare);
  Value* result = nullptr;
  const bool unordered = compare.getPredicate() == CmpInst::FCMP_UNO;
  if (unordered || compare.getPredicate() == CmpInst::FCMP_ORD) {
    auto* bits = FixedVectorType::get(b.getInt16Ty(), type->getNumElements());
    auto is_nan = [&](Value* v) -> Value* {
      Value* magnitude = b.CreateAnd(b.CreateBitCast(v, bits), ConstantInt::get(bits, 0x7fff));
      return b.CreateICmpUGT(magnitude, ConstantInt::get(bits, 0x7c00));
    };
    if (is_never_nan(a)) a = c;
    result = a == c || is_never_nan(c) ? is_nan(a) : b.CreateOr(is_nan(a), is_nan(c));
    if (!unordered) result = b.CreateNot(result);
  } else {
    auto* floats = FixedVectorType::get(b.getFloatTy(), type->getNumElements());
    result = b.CreateFCmp(compare.getPredicate(), b.CreateFPExt(a, floats), b.CreateFPExt(c, floats));
  }
  compare.replaceAllUsesWith(result);
  compare.eraseFromParent();
}

// Choosing among halves that are held in registers of other floats goes through a conversion to f32 and back, which
// makes signalling NaNs quiet: a choice changes no bits.
void choose_halves_as_bits(SelectInst& choice) {
  Type* type = choice.getType();
  if (!type->getScalarType()->isHalfTy() && !type->getScalarType()->isBFloatTy()) return;
  IRBuilder<> b(&choice);
  Type* bits = type->getWithNewType(b.getInt16Ty());
  Value* chosen = b.CreateSelect(choice.getCondition(), b.CreateBitCast(choice.getTrueValue(), bits),
                                 b.CreateBitCast(choice.getFalseValue(), bits));
  choice.replaceAllUsesWith(b.CreateBitCast(chosen, type));
  choice.eraseFromParent();
}

// The same for signs: instcombine makes fabs of `bits & 0x7fff`.
void change_signs_as_bits(Instruction& i) {
  Type* type = i.getType();
  if (!type->getScalarType()->isHalfTy() && !type->getScalarType()->isBFloatTy()) return;
  IRBuilder<> b(&i);
  Type* bits = type->getWithNewType(b.getInt16Ty());
  auto of = [&](unsigned operand) { return b.CreateBitCast(i.getOperand(operand), bits); };
  auto constant = [&](uint64_t value) { return ConstantInt::get(bits, value); };
  Value* result = nullptr;
  if (i.getOpcode() == Instruction::FNeg) {
    result = b.CreateXor(of(0), constant(0x8000));
  } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
    if (intrinsic->getIntrinsicID() == Intrinsic::fabs)
      result = b.CreateAnd(of(0), constant(0x7fff));
    else if (intrinsic->getIntrinsicID() == Intrinsic::copysign)
      result = b.CreateOr(b.CreateAnd(of(0), constant(0x7fff)), b.CreateAnd(of(1), constant(0x8000)));
  }
  if (!result) return;
  i.replaceAllUsesWith(b.CreateBitCast(result, type));
  i.eraseFromParent();
}

// (u64)x << 32: zeros and the numbers by turns, taken for 64 bits.
void interleave_upper_halves(BinaryOperator& shift) {
  using namespace PatternMatch;
  Value* x = nullptr;
  auto* type = dyn_cast<FixedVectorType>(shift.getType());
  if (!type || !match(&shift, m_Shl(m_ZExt(m_Value(x)), m_SpecificInt(32))) || !x->getType()->isIntOrIntVectorTy(32))
    return;
  const int lanes = int(type->getNumElements());
  std::vector<int> by_turns;
  for (int lane = 0; lane < lanes; ++lane) by_turns.insert(by_turns.end(), {lanes + lane, lane});
  IRBuilder<> b(&shift);
  shift.replaceAllUsesWith(
      b.CreateBitCast(b.CreateShuffleVector(x, Constant::getNullValue(x->getType()), by_turns), type));
  shift.eraseFromParent();
}

void ease_masks(Instruction& i) {
  if (auto* cast = dyn_cast<BitCastInst>(&i)) {
    if (auto* bits = dyn_cast<SelectInst>(cast->getOperand(0)))
      test_lanes_of_chosen_side(*bits, *cast);
    else
      load_mask_as_vector(*cast);
  } else if (auto* choice = dyn_cast<SelectInst>(&i); choice && is_mask(choice->getType())) {
    if (choice->getCondition()->getType()->isVectorTy())
      choose_masks_by_logic(*choice);
    else
      test_lanes_of_chosen_side(*choice, *choice);
  } else if (choice) {
    choose_before_taking_bits(*choice);
  } else if (isa<ZExtInst>(i) || isa<SExtInst>(i)) {
    hide_logic_from_extension(llvm::cast<CastInst>(i));
  } else if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&i)) {
    take_constant_lanes_by_logic(*shuffle);
  }
}

void ease_halves(Instruction& i) {
  if (auto* compare = dyn_cast<FCmpInst>(&i))
    compare_halves_otherwise(*compare);
  else if (auto* choice = dyn_cast<SelectInst>(&i))
    choose_halves_as_bits(*choice);
  else
    change_signs_as_bits(i);
}

}  // namespace

void llvm19_workarounds(Function& f, const TargetMachine& machine) {
  const MCSubtargetInfo& host = *machine.getSubtargetImpl(f);
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (auto* shift = dyn_cast<BinaryOperator>(&i)) interleave_upper_halves(*shift);
  if (host.checkFeatures("+avx512bw"))
    for (Instruction& i : make_early_inc_range(instructions(f))) ease_masks(i);
  if (!host.checkFeatures("+avx512fp16"))
    for (Instruction& i : make_early_inc_range(instructions(f))) ease_halves(i);
}

}  // namespace warpwise::simt
