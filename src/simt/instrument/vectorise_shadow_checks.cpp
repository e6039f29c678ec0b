// Shadow checks of accesses, for the vectoriser: what Dialect::ShadowCheck (events.h) becomes.
//
//     all of it lies in memory that was correct when the launch began?     nothing else
//     else                                                                 the shadow is read by the same pattern as
//     the
//                                                                          access; an event for the lanes whose access
//                                                                          it does not allow
//
// For a pattern, the first test is a few scalar comparisons, and mostly true. Both tests are branches whose second side
// is right for every warp (block/interleave_warps.h), so warps are interleaved as in code without checks.
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/interleave_warps.h"
#include "simt/compiler.h"
#include "simt/instrument/events.h"
#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// How far the lanes' addresses may lie apart by one term: beyond, the sum could wrap.
constexpr int64_t kWidestStride = int64_t{1} << 40;

}  // namespace

// A field of a PointedTo: known when the launch begins.
Value* Vectoriser::pointer_provenance(unsigned pointer, unsigned field) {
  const unsigned offset = pointer * unsigned(sizeof(PointedTo)) + field;
  Value* table = block_field(offsetof(BlockContext, pointer_provenance), b_.getInt64Ty(), "pointer_provenance");
  Value*& known = pointed_to_[offset];
  if (!known) {
    IRBuilder<> at(prologue_end_);
    Value* place = at.CreateIntToPtr(at.CreateAdd(table, at.getInt64(offset)), at.getPtrTy());
    auto* load = at.CreateAlignedLoad(at.getInt64Ty(), place, Align(8), "known");
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    known = load;
  }
  return known;
}

// Does the access of every lane lie in the first bytes, so many as `field` says, of what a parameter points to, and is
// it aligned? One answer for the warp (i1); null where the question would cost too much.
Value* Vectoriser::lies_within(const Address& a, const ShadowCheck& check, unsigned field) {
  if (check.pointer == ShadowCheck::kNoPointer || (a.space != kGeneric && a.space != kGlobal)) return nullptr;
  Value* first = pointer_provenance(check.pointer, offsetof(PointedTo, first));
  Value* bytes = pointer_provenance(check.pointer, field);
  const uint64_t width = check.event.bytes;
  if (!a.own.is_affine()) {
    Value* offsets = b_.CreateSub(vector_of_address(a), splat(first));
    // A short access at the very end of the allocation is checked as well.
    Value* inside =
        b_.CreateICmpULT(offsets, splat(b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, bytes, b_.getInt64(width - 1))));
    if (check.event.align > 0) {
      Value* low = b_.CreateAnd(offsets, splat(b_.getInt64((uint64_t{1} << check.event.align) - 1)));
      inside = b_.CreateAnd(inside, b_.CreateICmpEQ(low, Constant::getNullValue(low->getType())));
    }
    Value* outside = b_.CreateAnd(mask_, b_.CreateNot(inside));
    return b_.CreateICmpEQ(mask_bits(outside), b_.getInt32(0));
  }
  Value *low = b_.CreateSub(a.base, first), *high = b_.CreateAdd(low, b_.getInt64(width - 1));
  Value* within = a.corrected ? guard_of(a.own) : nullptr;
  auto also = [&](Value* condition) { within = within ? b_.CreateAnd(within, condition) : condition; };
  for (const Term& t : a.own.terms) {
    const int64_t least = *std::min_element(t.lanes.begin(), t.lanes.end()),
                  most = *std::max_element(t.lanes.begin(), t.lanes.end());
    if (!t.coefficient.value) {
      low = b_.CreateAdd(low, b_.getInt64(uint64_t(least))), high = b_.CreateAdd(high, b_.getInt64(uint64_t(most)));
      continue;
    }
    if (most - least > kWidestStride) return nullptr;
    Value* factor = coefficient(t.coefficient, b_.getInt64Ty());
    also(b_.CreateICmpULT(b_.CreateAdd(factor, b_.getInt64(kWidestStride)), b_.getInt64(2 * kWidestStride)));
    Value *x = b_.CreateMul(factor, b_.getInt64(uint64_t(least))),
          *y = b_.CreateMul(factor, b_.getInt64(uint64_t(most)));
    low = b_.CreateAdd(low, b_.CreateBinaryIntrinsic(Intrinsic::smin, x, y));
    high = b_.CreateAdd(high, b_.CreateBinaryIntrinsic(Intrinsic::smax, x, y));
  }
  also(b_.CreateICmpULT(low, bytes));
  also(b_.CreateICmpULT(high, bytes));
  if (check.event.align > 0) {
    Value* askew = misaligned(a, check.event.align);
    if (askew->getType()->isVectorTy()) return nullptr;
    also(b_.CreateNot(askew));
  }
  return within;
}

// Is the address no multiple of two to this power? One answer where all lanes' are alike (i1), else a vector.
Value* Vectoriser::misaligned(const Address& a, unsigned log2) {
  const uint64_t low_bits = (uint64_t{1} << log2) - 1;
  bool alike = a.own.is_affine() && !a.corrected;
  if (a.own.is_affine() && a.corrected) {  // a lane that wraps is 2^32 away, times a constant
    alike = true;
  }
  if (alike)
    for (const Term& t : a.own.terms)
      for (int64_t lane : t.lanes) alike = alike && (uint64_t(lane) & low_bits) == 0;
  if (alike) return b_.CreateICmpNE(b_.CreateAnd(a.base, b_.getInt64(low_bits)), b_.getInt64(0));
  Value* low = b_.CreateAnd(vector_of_address(a), splat(b_.getInt64(low_bits)));
  return b_.CreateICmpNE(low, Constant::getNullValue(low->getType()));
}

// As the program would print them.
Value* Vectoriser::generic_addresses(const Address& a) {
  Type* i64 = b_.getInt64Ty();
  if (!a.own.is_affine()) return b_.CreateSub(vector_of_address(a), splat(b_.getInt64(kAliasOffset)));
  Value* lanes = affine_vector(a.own, b_.CreateSub(a.base, b_.getInt64(kAliasOffset)), i64);
  return a.corrected ? corrected(a.own, lanes, i64) : lanes;
}

void Vectoriser::emit_shadow_check(CallInst& call) {
  const ShadowCheck check = ShadowCheck::unpack(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Address a = address_at(check.space, call.getArgOperand(1));
  Type* number = b_.getIntNTy(unsigned(check.event.bytes) * 8);
  const DebugLoc place = b_.getCurrentDebugLocation();
  auto block = [&](const char* name) { return BasicBlock::Create(context_, name, warp_function_); };
  auto guard = [&](Value* condition, BasicBlock* yes, BasicBlock* no) {
    b_.CreateCondBr(condition, yes, no, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  };
  Value* none = Constant::getNullValue(wide(b_.getInt64Ty()));
  BasicBlock* done = block("looked");

  if (Value* known = lies_within(a, check, offsetof(PointedTo, readable))) {
    BasicBlock* closer = block("look");
    guard(known, done, closer);
    b_.SetInsertPoint(closer);
  }
  if (a.corrected) {
    // Where the pattern does not hold, the service checks.
    BasicBlock *pattern = block("look.pattern"), *wrapped = block("look.wrapped");
    Value* holds = guard_of(a.own);
    guard(holds, pattern, wrapped);
    b_.SetInsertPoint(wrapped);
    Event all = check.event;
    all.kind = EventKind::Unchecked, all.reads = check.reads;
    report(mask_bits(mask_), b_.getInt32(all.pack()), generic_addresses(a), none, site_of(call));
    b_.CreateBr(done);
    b_.SetInsertPoint(pattern);
  }

  Address shadow = a;
  if (shadow.base) shadow.base = b_.CreateSub(a.base, b_.getInt64(kShadowDistance));
  shadow.extra = b_.CreateSub(a.extra, b_.getInt64(kShadowDistance));
  shadow.corrected = false;
  // A fault in the shadow is reported with the address of the access (Site::shadow).
  if (place)
    b_.SetCurrentDebugLocation(
        DILocation::get(context_, place.getLine(), kShadowColumn + 1, place.getScope(), place.getInlinedAt()));
  const bool one = a.own.is_uniform() && a.space != kLocal;
  const Align align(1);
  Value* seen;
  if (one)
    seen = b_.CreateAlignedLoad(number, b_.CreateIntToPtr(shadow.base, b_.getPtrTy()), align, "shadow");
  else if (!a.own.is_affine())
    seen = gather(vector_of_address(shadow), number, align, mask_);
  else if (seen = load_from_afar(shadow, number, align); !seen) {
    seen = gather_near(shadow, number, align, mask_);
    if (!seen) seen = gather(affine_vector(shadow.own, shadow.base, b_.getInt64Ty()), number, align, mask_);
  }
  b_.SetCurrentDebugLocation(place);
  Constant* wanted =
      ConstantInt::get(number, check.reads ? APInt::getAllOnes(number->getIntegerBitWidth())
                                           : APInt::getSplat(number->getIntegerBitWidth(), APInt(8, kUninitialised)));
  if (!one) wanted = ConstantVector::getSplat(ElementCount::getFixed(kLanes), wanted);
  Value* raw = seen;
  if (!check.reads) seen = b_.CreateAnd(seen, wanted);
  Value* wrong = b_.CreateICmpNE(seen, wanted);
  Value* no_memory = b_.CreateFreeze(wrong);
  if (check.event.align > 0) {
    Value* askew = misaligned(a, check.event.align);
    if (wrong->getType()->isVectorTy() != askew->getType()->isVectorTy())
      (one ? wrong : askew) = splat(one ? wrong : askew);
    wrong = b_.CreateOr(wrong, askew);
  }
  Value* lanes;
  if (!wrong->getType()->isVectorTy())
    lanes = b_.CreateSelect(b_.CreateFreeze(wrong), mask_bits(mask_), b_.getInt32(0));
  else
    lanes = mask_bits(b_.CreateSelect(mask_, b_.CreateFreeze(wrong), Constant::getNullValue(mask_->getType())));
  BasicBlock *telling = block("notice"), *on_event = block("noticed");
  guard(b_.CreateICmpEQ(lanes, b_.getInt32(0)), on_event, telling);
  b_.SetInsertPoint(telling);
  Address pattern = a;
  pattern.corrected = false;
  report(lanes, b_.getInt32(check.event.pack()), generic_addresses(pattern), none, site_of(call));
  b_.CreateBr(on_event);
  b_.SetInsertPoint(on_event);
  if (check.marks) {  // what is memory; a wild store may fault yet
    if (place)
      b_.SetCurrentDebugLocation(
          DILocation::get(context_, place.getLine(), kShadowColumn + 1, place.getScope(), place.getInlinedAt()));
    if (one) {
      Value* mark = b_.CreateSelect(no_memory, raw, ConstantInt::getAllOnesValue(number));
      b_.CreateAlignedStore(mark, b_.CreateIntToPtr(shadow.base, b_.getPtrTy()), align);
    } else {
      Value* marks = ConstantInt::getAllOnesValue(wide(number));
      Value* memory = b_.CreateAnd(mask_, b_.CreateNot(no_memory));
      if (!a.own.is_affine())
        scatter(vector_of_address(shadow), marks, align, memory);
      else if (!store_pattern(shadow, marks, align, memory))
        scatter(affine_vector(shadow.own, shadow.base, b_.getInt64Ty()), marks, align, memory);
    }
    b_.SetCurrentDebugLocation(place);
  }
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

}  // namespace warpwise::simt
