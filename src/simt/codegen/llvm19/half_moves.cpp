// Without AVX512-FP16, LLVM 19 converts halves to float and back to choose between them or to change their sign. The
// conversion makes signalling NaNs quiet, but PTX moves bits.
//
// Upstream: https://github.com/llvm/llvm-project/issues/126892 and https://github.com/llvm/llvm-project/pull/156343 for
// fneg and fabs (2025). No issue was found for choices.
// Reproducer: tests/ptx/exec/half_choice.ptx, and tests/simt/codegen/llvm19/half_moves_test.cpp.
//
// The operations are done on integers. InstCombine makes fabs out of `bits & 0x7fff`, so the code as lowering writes it
// is not enough.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

namespace {

bool has_16_bit_floats(const Instruction& i) {
  const Type* element = i.getType()->getScalarType();
  return element->isHalfTy() || element->isBFloatTy();
}

}  // namespace

bool llvm19::choose_halves_as_bits(Instruction& i) {
  auto* choice = dyn_cast<SelectInst>(&i);
  if (!choice || !has_16_bit_floats(i)) return false;
  IRBuilder<> b(choice);
  Type* bits = i.getType()->getWithNewType(b.getInt16Ty());
  Value *if_true = b.CreateBitCast(choice->getTrueValue(), bits),
        *if_false = b.CreateBitCast(choice->getFalseValue(), bits);
  Value* chosen = b.CreateSelect(choice->getCondition(), if_true, if_false);
  choice->replaceAllUsesWith(b.CreateBitCast(chosen, i.getType()));
  choice->eraseFromParent();
  return true;
}

bool llvm19::change_signs_as_bits(Instruction& i) {
  if (!has_16_bit_floats(i)) return false;
  IRBuilder<> b(&i);
  Type* bits = i.getType()->getWithNewType(b.getInt16Ty());
  auto of = [&](unsigned operand) { return b.CreateBitCast(i.getOperand(operand), bits); };
  auto constant = [&](uint64_t value) { return ConstantInt::get(bits, value); };
  Value* result = nullptr;
  if (i.getOpcode() == Instruction::FNeg) {
    result = b.CreateXor(of(0), constant(0x8000));
  } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&i)) {
    if (intrinsic->getIntrinsicID() == Intrinsic::fabs)
      result = b.CreateAnd(of(0), constant(0x7fff));
    else if (intrinsic->getIntrinsicID() == Intrinsic::copysign) {
      Value *magnitude = b.CreateAnd(of(0), constant(0x7fff)), *sign = b.CreateAnd(of(1), constant(0x8000));
      result = b.CreateOr(magnitude, sign);
    }
  }
  if (!result) return false;
  i.replaceAllUsesWith(b.CreateBitCast(result, i.getType()));
  i.eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
