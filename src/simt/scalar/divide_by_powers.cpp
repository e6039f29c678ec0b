#include "simt/scalar/divide_by_powers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace warpwise::simt {

using namespace llvm;
using namespace PatternMatch;

namespace {

// Choices within choices are followed so far.
constexpr unsigned kDeepest = 4;

bool is_number_of_float(Type* type) { return type->isFloatTy() || type->isDoubleTy(); }

// How a whole number becomes a float.
enum class Read { Signed, Unsigned };

// 1 / number, if that is exact or infinite.
std::optional<APFloat> reciprocal_of(const APFloat& number) {
  if (number.isZero()) return APFloat::getInf(number.getSemantics(), number.isNegative());
  APFloat inverse(number.getSemantics());
  if (!number.getExactInverse(&inverse)) return {};
  return inverse;
}

// 1 / divisor of divisors that are powers of two, or 0.
class Reciprocal {
 public:
  Reciprocal(Instruction& before, Type* type)
      : b_(&before),
        type_(type),
        bits_(b_.getIntNTy(type->getScalarSizeInBits())),
        mantissa_(type->isFloatTy() ? 23 : 52) {}

  static bool is_known(Value* divisor) { return isa<Instruction>(divisor) && of_float(divisor, 0); }
  Value* of(Value* divisor) {
    if (auto* constant = dyn_cast<ConstantFP>(divisor))
      return ConstantFP::get(type_, *reciprocal_of(constant->getValueAPF()));
    if (auto* choice = dyn_cast<SelectInst>(divisor))
      return b_.CreateSelect(choice->getCondition(), of(choice->getTrueValue()), of(choice->getFalseValue()));
    auto* conversion = cast<CastInst>(divisor);
    return of(conversion->getOperand(0), isa<SIToFPInst>(conversion) ? Read::Signed : Read::Unsigned);
  }

 private:
  static bool of_float(Value* divisor, unsigned depth) {
    if (depth > kDeepest) return false;
    if (auto* constant = dyn_cast<ConstantFP>(divisor)) return reciprocal_of(constant->getValueAPF()).has_value();
    if (auto* choice = dyn_cast<SelectInst>(divisor))
      return of_float(choice->getTrueValue(), depth + 1) && of_float(choice->getFalseValue(), depth + 1);
    return isa<SIToFPInst, UIToFPInst>(divisor) && of_whole(cast<CastInst>(divisor)->getOperand(0), depth + 1);
  }

  static bool of_whole(Value* power, unsigned depth) {
    if (depth > kDeepest || power->getType()->getScalarSizeInBits() > 64) return false;
    if (auto* constant = dyn_cast<ConstantInt>(power)) return constant->isZero() || constant->getValue().isPowerOf2();
    if (auto* choice = dyn_cast<SelectInst>(power))
      return of_whole(choice->getTrueValue(), depth + 1) && of_whole(choice->getFalseValue(), depth + 1);
    if (auto* extension = dyn_cast<ZExtInst>(power)) return of_whole(extension->getOperand(0), depth + 1);
    return match(power, m_Shl(m_One(), m_Value()));
  }

  Value* of(Value* power, Read read) {
    if (auto* constant = dyn_cast<ConstantInt>(power)) {
      APFloat number(type_->getFltSemantics());
      number.convertFromAPInt(constant->getValue(), read == Read::Signed, APFloat::rmNearestTiesToEven);
      return ConstantFP::get(type_, *reciprocal_of(number));
    }
    if (auto* choice = dyn_cast<SelectInst>(power))
      return b_.CreateSelect(choice->getCondition(), of(choice->getTrueValue(), read),
                             of(choice->getFalseValue(), read));
    if (auto* extension = dyn_cast<ZExtInst>(power)) return of(extension->getOperand(0), Read::Unsigned);
    return of_shift(cast<BinaryOperator>(*power), read);
  }

  // 1 / (1 << n): n less than 1.0 in the exponent. The highest bit of a signed number is its sign.
  Value* of_shift(BinaryOperator& shift, Read read) {
    Value* n = shift.getOperand(1);
    if (auto* extension = dyn_cast<ZExtInst>(n)) n = extension->getOperand(0);
    n = b_.CreateZExtOrTrunc(n, bits_);
    const APInt one = APFloat::getOne(type_->getFltSemantics()).bitcastToAPInt();
    Value* from = ConstantInt::get(bits_, one);
    if (read == Read::Signed && !shift.hasNoSignedWrap()) {
      const unsigned highest = shift.getType()->getIntegerBitWidth() - 1;
      const APInt negative = one | APInt::getSignMask(one.getBitWidth());
      from = b_.CreateSelect(b_.CreateICmpEQ(n, ConstantInt::get(bits_, highest)), ConstantInt::get(bits_, negative),
                             from);
    }
    return b_.CreateBitCast(b_.CreateSub(from, b_.CreateShl(n, mantissa_)), type_);
  }

  IRBuilder<> b_;
  Type* type_;
  IntegerType* bits_;
  unsigned mantissa_;
};

}  // namespace

bool divide_by_powers(Function& function) {
  SmallVector<BinaryOperator*, 8> divisions;
  for (Instruction& i : instructions(function))
    if (i.getOpcode() == Instruction::FDiv && is_number_of_float(i.getType()) && Reciprocal::is_known(i.getOperand(1)))
      divisions.push_back(cast<BinaryOperator>(&i));
  for (BinaryOperator* division : divisions) {
    Value *dividend = division->getOperand(0), *divisor = division->getOperand(1);
    Value* result = Reciprocal(*division, division->getType()).of(divisor);
    if (!match(dividend, m_FPOne())) {
      auto* product = BinaryOperator::CreateFMul(dividend, result, "", division->getIterator());
      product->copyIRFlags(division);
      product->setDebugLoc(division->getDebugLoc());
      result = product;
    }
    result->takeName(division);
    division->replaceAllUsesWith(result);
    division->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(divisor);
  }
  return !divisions.empty();
}

}  // namespace warpwise::simt
