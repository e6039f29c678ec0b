// Addresses of a warp: where the lanes of one access point, in which space, and what has to hold for a pattern to be
// true of them.
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstddef>

#include "simt/abi.h"
#include "simt/compiler.h"
#include "simt/vectorise/memory.h"

namespace warpwise::simt {

using namespace llvm;

MemoryEmitter::Address MemoryEmitter::address_of(Value* pointer) {
  Value* source = nullptr;
  if (auto* cast = dyn_cast<IntToPtrInst>(pointer))
    source = cast->getOperand(0);
  else if (auto* constant = dyn_cast<ConstantExpr>(pointer); constant && constant->getOpcode() == Instruction::IntToPtr)
    source = constant->getOperand(0);
  else if (isa<ConstantPointerNull>(pointer))
    source = b_.getInt64(0);
  return address_at(pointer->getType()->getPointerAddressSpace(), source);
}

MemoryEmitter::Address MemoryEmitter::address_at(unsigned space, Value* source) {
  Address a;
  a.space = space;
  a.source = source;
  Type* i64 = b_.getInt64Ty();
  if (!a.source || a.source->getType() != i64) {
    w_.fail("an access through something that is no address");
    a.source = ConstantInt::get(i64, 0);
  }
  a.own = shapes_.of(a.source);

  // An offset in shared or local memory that was extended from 32 bits: every offset in range is a small positive
  // number, so the signed reading is exact for it and needs no overflow guard.
  Value* narrow = nullptr;
  uint64_t plus = 0;
  if ((a.space == kShared || a.space == kLocal) && a.own.is_affine() && !a.own.corrections.empty()) {
    using namespace PatternMatch;
    ConstantInt* c;
    if (match(a.source, m_ZExtOrSExt(m_Value(narrow)))) {
    } else if (match(a.source, m_Add(m_ZExtOrSExt(m_Value(narrow)), m_ConstantInt(c))))
      plus = c->getZExtValue();
    if (narrow && narrow->getType()->isIntegerTy(32) && shapes_.of(narrow).is_affine() &&
        shapes_.of(narrow).corrections.empty()) {
      a.own = shapes_.of(narrow);
      bool representable = true;
      for (Term& t : a.own.terms)
        if (t.coefficient.value) {
          representable = representable && t.coefficient.convert == Coefficient::Convert::None;
          t.coefficient.convert = Coefficient::Convert::SignExtend;
        }
      if (representable)
        a.base = b_.CreateAdd(b_.CreateSExt(scalar(narrow), i64), b_.getInt64(plus));
      else
        a.own = shapes_.of(a.source);
    }
  }
  if (!a.base && a.own.is_affine()) a.base = scalar(a.source);

  switch (a.space) {
    case kShared:
      a.extra = block_field(offsetof(BlockContext, shared), i64, "shared");
      break;
    case kParam:
      a.extra = block_field(offsetof(BlockContext, parameters), i64, "parameters");
      break;
    case kLocal: {
      Value* first = b_.CreateMul(b_.CreateZExt(warp_arg_, i64), b_.getInt64(uint64_t{kLanes} * options_.local_stride));
      a.extra = b_.CreateAdd(block_field(offsetof(BlockContext, local), i64, "local"), first);
      if (options_.local_unit != 0) return interleaved(a);
      break;
    }
    default:
      a.extra = b_.getInt64(kAliasOffset);
      break;
  }
  if (a.base) a.base = b_.CreateAdd(a.base, a.extra);
  if (a.space == kLocal && a.own.is_affine()) {
    // Each thread has its own piece.
    Term own;
    for (unsigned l = 0; l < kLanes; ++l) own.lanes[l] = int64_t(l) * options_.local_stride;
    auto plain =
        std::find_if(a.own.terms.begin(), a.own.terms.end(), [](const Term& t) { return !t.coefficient.value; });
    if (plain == a.own.terms.end())
      a.own.terms.push_back(own);
    else
      for (unsigned l = 0; l < kLanes; ++l)
        plain->lanes[l] = int64_t(uint64_t(plain->lanes[l]) + uint64_t(own.lanes[l]));
  }
  a.corrected = !a.own.corrections.empty();
  return a;
}

// Of interleaved local memory. A place that is the same in all lanes is a row of their units.
MemoryEmitter::Address MemoryEmitter::interleaved(Address a) {
  const bool row = a.own.is_uniform();
  a.base = nullptr;
  a.own = Shape::varying();
  if (!row) return a;
  Value* offset = scalar(a.source);
  Value* below = b_.CreateAnd(offset, b_.getInt64(options_.local_unit - 1));
  Value* row_start = b_.CreateSub(offset, below);
  a.base = b_.CreateAdd(a.extra, b_.CreateAdd(b_.CreateMul(row_start, b_.getInt64(kLanes)), below));
  a.own = Shape::uniform();
  Term own;
  for (unsigned l = 0; l < kLanes; ++l) own.lanes[l] = int64_t(l) * options_.local_unit;
  a.own.terms.push_back(own);
  return a;
}

// Bytes from the warp's first, 32 bits for each lane. An offset that no kernel has memory for stays outside.
Value* MemoryEmitter::interleaved_offsets(const Address& a) {
  constexpr uint32_t kBeyond = 1 << 25;  // times 32 is a positive number
  Type* i32 = b_.getInt32Ty();
  auto all = [&](uint32_t number) { return splat(b_.getInt32(number)); };
  Value* offset = b_.CreateTrunc(vector(a.source), wide(i32));
  offset = b_.CreateBinaryIntrinsic(Intrinsic::umin, offset, all(kBeyond));
  Value* below = b_.CreateAnd(offset, all(options_.local_unit - 1));
  Value* row_start = b_.CreateMul(b_.CreateSub(offset, below), all(kLanes));
  LaneConstants own;
  for (unsigned l = 0; l < kLanes; ++l) own[l] = int64_t(l) * options_.local_unit;
  return b_.CreateAdd(b_.CreateAdd(row_start, below), lanes_constant(own, i32));
}

Value* MemoryEmitter::vector_of_address(const Address& a) {
  if (a.space == kLocal && options_.local_unit != 0)
    return b_.CreateAdd(b_.CreateZExt(interleaved_offsets(a), wide(b_.getInt64Ty())), splat(a.extra));
  Value* lanes = b_.CreateAdd(vector(a.source), splat(a.extra));
  if (a.space == kLocal) {
    LaneConstants own;
    for (unsigned l = 0; l < kLanes; ++l) own[l] = int64_t(l) * options_.local_stride;
    lanes = b_.CreateAdd(lanes, lanes_constant(own, b_.getInt64Ty()));
  }
  return lanes;
}

// True when no lane of any extension in the address wrapped.
Value* MemoryEmitter::guard_of(const Shape& shape) {
  Value* all = nullptr;
  for (const Correction& c : shape.corrections) {
    Value*& guard = guards_[c.extension];
    if (!guard) {
      auto* extension = cast<CastInst>(c.extension);
      const bool zero = isa<ZExtInst>(extension);
      LaneVector where = w_.lanes_of(extension);
      IRBuilder<>::InsertPointGuard keep(b_);
      w_.go_to_anchor(where);
      Type* i64 = b_.getInt64Ty();
      Value* base = where.scalar;
      Value* low = base;
      Value* high = base;
      for (const Term& t : shapes_.of(extension).terms) {
        int64_t least = *std::min_element(t.lanes.begin(), t.lanes.end());
        int64_t most = *std::max_element(t.lanes.begin(), t.lanes.end());
        if (!t.coefficient.value) {
          low = b_.CreateAdd(low, b_.getInt64(uint64_t(least)));
          high = b_.CreateAdd(high, b_.getInt64(uint64_t(most)));
          continue;
        }
        Value* factor = coefficient(t.coefficient, i64);
        Value* x = b_.CreateMul(factor, b_.getInt64(uint64_t(least)));
        Value* y = b_.CreateMul(factor, b_.getInt64(uint64_t(most)));
        low = b_.CreateAdd(low, b_.CreateBinaryIntrinsic(Intrinsic::smin, x, y));
        high = b_.CreateAdd(high, b_.CreateBinaryIntrinsic(Intrinsic::smax, x, y));
      }
      int64_t bottom = zero ? 0 : INT32_MIN, top = zero ? int64_t{UINT32_MAX} : INT32_MAX;
      guard = b_.CreateAnd(b_.CreateICmpSGE(low, b_.getInt64(uint64_t(bottom))),
                           b_.CreateICmpSLE(high, b_.getInt64(uint64_t(top))), "nowrap");
    }
    all = all ? b_.CreateAnd(all, guard) : guard;
  }
  return all;
}

}  // namespace warpwise::simt
