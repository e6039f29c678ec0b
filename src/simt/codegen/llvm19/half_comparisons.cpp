// Without AVX512-FP16, LLVM 19 splits a comparison of vectors of halves into its lanes: 400 instructions and 3 ms of
// compile time each. That was a third of the time that random programs took to compile.
//
// Upstream: https://github.com/llvm/llvm-project/pull/116153 made LLVM keep such comparisons as vectors; LLVM 19.1.7
// does not have it.
// Reproducer: `fcmp uno <32 x half> %x, %x` is 350 lines of assembly from llc -mcpu=x86-64-v4;
// tests/simt/codegen/llvm19/half_comparisons_test.cpp.
//
// "Is it a NaN?", which every canonical result asks, becomes a comparison of integers. The others compare the halves
// extended to floats, which loses nothing.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/codegen/llvm19/workarounds.h"

namespace warpwise::simt {

using namespace llvm;

static_assert(LLVM_VERSION_MAJOR == 19, "try this workaround again: simt/codegen/llvm19/workarounds.h says how");

namespace {

bool is_never_nan(Value* v) {
  const APFloat* number = nullptr;
  return PatternMatch::match(v, PatternMatch::m_APFloat(number)) && !number->isNaN();
}

}  // namespace

bool llvm19::compare_halves_as_floats(Instruction& i) {
  auto* compare = dyn_cast<FCmpInst>(&i);
  auto* type = compare ? dyn_cast<FixedVectorType>(compare->getOperand(0)->getType()) : nullptr;
  if (!type || !type->getElementType()->isHalfTy()) return false;
  Value *a = compare->getOperand(0), *c = compare->getOperand(1);
  IRBuilder<> b(compare);
  Value* result = nullptr;
  const bool unordered = compare->getPredicate() == CmpInst::FCMP_UNO;
  if (unordered || compare->getPredicate() == CmpInst::FCMP_ORD) {
    auto* bits = FixedVectorType::get(b.getInt16Ty(), type->getNumElements());
    auto is_nan = [&](Value* v) -> Value* {
      Value* magnitude = b.CreateAnd(b.CreateBitCast(v, bits), ConstantInt::get(bits, 0x7fff));
      return b.CreateICmpUGT(magnitude, ConstantInt::get(bits, 0x7c00));
    };
    if (is_never_nan(a)) a = c;
    result = is_nan(a);
    if (a != c && !is_never_nan(c)) result = b.CreateOr(result, is_nan(c));
    if (!unordered) result = b.CreateNot(result);
  } else {
    auto* floats = FixedVectorType::get(b.getFloatTy(), type->getNumElements());
    Value *left = b.CreateFPExt(a, floats), *right = b.CreateFPExt(c, floats);
    result = b.CreateFCmp(compare->getPredicate(), left, right);
  }
  compare->replaceAllUsesWith(result);
  compare->eraseFromParent();
  return true;
}

}  // namespace warpwise::simt
