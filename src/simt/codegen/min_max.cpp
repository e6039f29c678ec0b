#include "simt/codegen/min_max.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr unsigned kRegisterBits = 512;
// VRANGE's immediate: bits 0 and 1 say min (0) or max (1), bits 2 and 3 that the sign is the chosen operand's (1).
constexpr int kRangeMin = 0b0100, kRangeMax = 0b0101;
constexpr int kCurrentRounding = 4;

// A register's worth of lanes.
Value* range(IRBuilder<>& b, Value* x, Value* y, bool is_max) {
  auto* type = cast<FixedVectorType>(x->getType());
  const bool wide = type->getElementType()->isDoubleTy();
  auto* mask = ConstantInt::get(b.getIntNTy(wide ? 8 : 16), wide ? 0xff : 0xffff);
  return b.CreateIntrinsic(wide ? Intrinsic::x86_avx512_mask_range_pd_512 : Intrinsic::x86_avx512_mask_range_ps_512, {},
                           {x, y, b.getInt32(uint32_t(is_max ? kRangeMax : kRangeMin)), PoisonValue::get(type), mask,
                            b.getInt32(kCurrentRounding)});
}

Value* by_range(IRBuilder<>& b, Value* a, Value* c, bool is_max, bool quiet_a, bool quiet_c) {
  auto* type = cast<FixedVectorType>(a->getType());
  const unsigned lanes = type->getNumElements(), step = kRegisterBits / unsigned(type->getScalarSizeInBits());
  Value* result = nullptr;
  for (unsigned first = 0; first < lanes; first += step) {
    SmallVector<int, 16> some;
    for (unsigned l = 0; l < step; ++l) some.push_back(int(first + l));
    auto part = [&](Value* v, bool quiet) {
      Value* x = lanes == step ? v : b.CreateShuffleVector(v, some);
      return quiet ? x : range(b, x, x, is_max);  // the same number, or its NaN made quiet
    };
    Value* x = part(a, quiet_a);
    Value* both = range(b, x, part(c, quiet_c), is_max);
    if (lanes == step) return both;
    SmallVector<int, 32> whole;
    if (!result) {
      result = both;
      continue;
    }
    for (unsigned l = 0; l < first + step; ++l) whole.push_back(int(l));
    if (first != step) {  // as long as what there is
      SmallVector<int, 32> grow;
      for (unsigned l = 0; l < first; ++l) grow.push_back(l < step ? int(l) : -1);
      both = b.CreateShuffleVector(both, grow);
    }
    result = b.CreateShuffleVector(result, both, whole);
  }
  return result;
}

}  // namespace

Value* build_min_max(IRBuilder<>& b, Value* a, Value* c, bool is_max, bool range_instructions, bool quiet_a,
                     bool quiet_c) {
  auto* vector = dyn_cast<FixedVectorType>(a->getType());
  if (range_instructions && vector && vector->getNumElements() * vector->getScalarSizeInBits() % kRegisterBits == 0)
    return by_range(b, a, c, is_max, quiet_a, quiet_c);
  // One instruction of the host (c when one is a NaN) and its NaN rule, but for the zeros' signs and the NaN of two
  // NaNs. Not llvm.maxnum: LLVM 19 takes maxnum(|NaN|, -0.5) for a positive number.
  Value* host = b.CreateSelect(is_max ? b.CreateFCmpOGT(a, c) : b.CreateFCmpOLT(a, c), a, c);
  host = b.CreateSelect(b.CreateFCmpUNO(c, c), a, host);
  // Equal numbers may be zeros of different signs: `or` of the bits has the minus, `and` has not.
  Type* bits = a->getType()->getWithNewType(b.getIntNTy(a->getType()->getScalarSizeInBits()));
  Value *x = b.CreateBitCast(a, bits), *y = b.CreateBitCast(c, bits);
  Value* same = b.CreateBitCast(is_max ? b.CreateAnd(x, y) : b.CreateOr(x, y), a->getType());
  Value* number = b.CreateSelect(b.CreateFCmpOEQ(a, c), same, host);
  return b.CreateSelect(b.CreateFCmpUNO(host, host), b.CreateFAdd(a, c), number);
}

bool is_quiet(const Value* value) {
  SmallVector<const Value*, 8> work{value};
  SmallPtrSet<const Value*, 16> seen;
  while (!work.empty()) {
    const Value* v = work.pop_back_val();
    if (!seen.insert(v).second) continue;
    if (seen.size() > 32) return false;
    if (auto* constant = dyn_cast<ConstantFP>(v)) {
      if (constant->getValueAPF().isSignaling()) return false;
      continue;
    }
    auto* i = dyn_cast<Instruction>(v);
    if (!i) return false;
    switch (i->getOpcode()) {
      case Instruction::FAdd:
      case Instruction::FSub:
      case Instruction::FMul:
      case Instruction::FDiv:
      case Instruction::SIToFP:
      case Instruction::UIToFP:
      case Instruction::FPExt:
      case Instruction::FPTrunc:
        continue;
      case Instruction::PHI:
        for (const Value* in : cast<PHINode>(i)->incoming_values()) work.push_back(in);
        continue;
      case Instruction::Select:
        work.append({i->getOperand(1), i->getOperand(2)});
        continue;
      case Instruction::FNeg:
        work.push_back(i->getOperand(0));
        continue;
      case Instruction::Call: {
        auto dialect = dialect_of(i);
        if (dialect && (*dialect == Dialect::MinF32 || *dialect == Dialect::MaxF32 || *dialect == Dialect::MinF64 ||
                        *dialect == Dialect::MaxF64))
          continue;
        switch (cast<CallInst>(i)->getIntrinsicID()) {
          case Intrinsic::fma:
          case Intrinsic::sqrt:
          case Intrinsic::fmuladd:
            continue;
          case Intrinsic::fabs:
          case Intrinsic::copysign:
            work.push_back(i->getOperand(0));
            continue;
          default:
            return false;
        }
      }
      default:
        return false;
    }
  }
  return true;
}

}  // namespace warpwise::simt
