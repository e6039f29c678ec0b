// LLVM 19 computes wrong bits for `m ? (x & C) | (y & ~C) : x`, which is what `@m copysign` comes to.
//
// It becomes one masked VPTERNLOG. The operands of a VPTERNLOG may be reordered so that a constant or a load from
// memory stands last. Its truth table must be permuted with them, and LLVM permutes it the wrong way round.
//
// Upstream: https://github.com/llvm/llvm-project/issues/157929; the fix
// (https://github.com/llvm/llvm-project/pull/209782) was merged in July 2026.
// Reproducer: tests/simt/codegen/llvm19/chosen_bits_test.cpp (wrong sums on a machine with AVX-512).
//
// The choice is moved inside, `(x & C) | ((m ? y : x) & ~C)`, which leaves no VPTERNLOG under a mask.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

namespace {

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
  // Integers of the floats' width, as many: copysign takes one bit of them.
  const unsigned width = v->getType()->getScalarSizeInBits();
  Type* bits = IntegerType::get(v->getContext(), width);
  if (auto* vector = dyn_cast<VectorType>(v->getType())) bits = VectorType::get(bits, vector->getElementCount());
  return BitChoice{a, c, ConstantInt::get(bits, APInt::getSignedMaxValue(width))};
}

Value* without_casts(Value* v) {
  while (auto* cast = dyn_cast<BitCastInst>(v)) v = cast->getOperand(0);
  return v;
}

}  // namespace

bool llvm19::choose_before_taking_bits(Instruction& i) {
  auto* choice = dyn_cast<SelectInst>(&i);
  if (!choice || !choice->getCondition()->getType()->isVectorTy() || is_mask(choice->getType())) return false;
  for (const bool taken_if_true : {true, false}) {
    Value* taken = without_casts(taken_if_true ? choice->getTrueValue() : choice->getFalseValue());
    Value* other = without_casts(taken_if_true ? choice->getFalseValue() : choice->getTrueValue());
    const auto bits = bit_choice(taken);
    if (!bits || bits->mask->getType()->getScalarSizeInBits() != choice->getType()->getScalarSizeInBits()) continue;
    const bool is_ones = without_casts(bits->ones) == other;
    if (!is_ones && without_casts(bits->zeros) != other) continue;
    IRBuilder<> b(choice);
    Type* type = bits->mask->getType();
    Value *ones = b.CreateBitCast(bits->ones, type), *zeros = b.CreateBitCast(bits->zeros, type);
    auto chosen = [&](Value* v, Value* kept) {
      return taken_if_true ? b.CreateSelect(choice->getCondition(), v, kept)
                           : b.CreateSelect(choice->getCondition(), kept, v);
    };
    if (is_ones)
      zeros = chosen(zeros, ones);
    else
      ones = chosen(ones, zeros);
    Value* from_ones = b.CreateAnd(ones, bits->mask);
    Value* from_zeros = b.CreateAnd(zeros, ConstantExpr::getNot(bits->mask));
    Value* result = b.CreateOr(from_ones, from_zeros);
    choice->replaceAllUsesWith(b.CreateBitCast(result, choice->getType()));
    choice->eraseFromParent();
    return true;
  }
  return false;
}

}  // namespace warpwise::simt
