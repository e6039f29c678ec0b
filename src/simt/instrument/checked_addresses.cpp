#include "simt/instrument/checked_addresses.h"

#include <algorithm>
#include <cstddef>

#include "simt/abi.h"
#include "simt/compiler.h"
#include "simt/instrument/shadow.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// How far the lanes' addresses may lie apart by one term: beyond, the sum could wrap.
constexpr int64_t kWidestStride = int64_t{1} << 40;

}  // namespace

// A field of a PointedTo: known when the launch begins.
Value* CheckedAddresses::pointer_provenance(unsigned pointer, unsigned field) {
  const unsigned offset = pointer * unsigned(sizeof(PointedTo)) + field;
  Value* table = block_field(offsetof(BlockContext, pointer_provenance), b_.getInt64Ty(), "pointer_provenance");
  Value*& known = fields_[offset];
  if (!known) {
    IRBuilder<> at(w_.prologue_end);
    Value* place = at.CreateIntToPtr(at.CreateAdd(table, at.getInt64(offset)), at.getPtrTy());
    auto* load = at.CreateAlignedLoad(at.getInt64Ty(), place, Align(8), "known");
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
    known = load;
  }
  return known;
}

// Does the access of every lane lie in the first bytes, so many as `field` says, of what a parameter points to, and is
// it aligned? One answer for the warp (i1); null where the question would cost too much.
Value* CheckedAddresses::lies_within(const Address& a, const AccessCheck& check, unsigned field) {
  if (check.pointer == AccessCheck::kNoPointer || (a.space != kGeneric && a.space != kGlobal)) return nullptr;
  Value* first = pointer_provenance(check.pointer, offsetof(PointedTo, first));
  Value* bytes = pointer_provenance(check.pointer, field);
  const uint64_t width = check.access.bytes;
  if (!a.own.is_affine()) {
    Value* offsets = b_.CreateSub(memory_.vector_of_address(a), splat(first));
    // A short access at the very end of the allocation is checked as well.
    Value* inside =
        b_.CreateICmpULT(offsets, splat(b_.CreateBinaryIntrinsic(Intrinsic::usub_sat, bytes, b_.getInt64(width - 1))));
    if (check.align > 0) {
      Value* low = b_.CreateAnd(offsets, splat(b_.getInt64((uint64_t{1} << check.align) - 1)));
      inside = b_.CreateAnd(inside, b_.CreateICmpEQ(low, Constant::getNullValue(low->getType())));
    }
    Value* outside = b_.CreateAnd(mask_, b_.CreateNot(inside));
    return b_.CreateICmpEQ(mask_bits(outside), b_.getInt32(0));
  }
  Value *low = b_.CreateSub(a.base, first), *high = b_.CreateAdd(low, b_.getInt64(width - 1));
  Value* within = a.corrected ? memory_.guard_of(a.own) : nullptr;
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
  if (check.align > 0) {
    Value* askew = misaligned(a, check.align);
    if (askew->getType()->isVectorTy()) return nullptr;
    also(b_.CreateNot(askew));
  }
  return within;
}

// Is the address no multiple of two to this power? One answer where all lanes' are alike (i1), else a vector.
Value* CheckedAddresses::misaligned(const Address& a, unsigned log2) {
  const uint64_t low_bits = (uint64_t{1} << log2) - 1;
  bool alike = a.own.is_affine();  // a lane that wraps is 2^32 away, times a constant
  if (alike)
    for (const Term& t : a.own.terms)
      for (int64_t lane : t.lanes) alike = alike && (uint64_t(lane) & low_bits) == 0;
  if (alike) return b_.CreateICmpNE(b_.CreateAnd(a.base, b_.getInt64(low_bits)), b_.getInt64(0));
  Value* low = b_.CreateAnd(memory_.vector_of_address(a), splat(b_.getInt64(low_bits)));
  return b_.CreateICmpNE(low, Constant::getNullValue(low->getType()));
}

// As the program would print them.
Value* CheckedAddresses::generic_addresses(const Address& a) {
  Type* i64 = b_.getInt64Ty();
  if (!a.own.is_affine()) return b_.CreateSub(memory_.vector_of_address(a), splat(b_.getInt64(kAliasOffset)));
  Value* lanes = affine_vector(a.own, b_.CreateSub(a.base, b_.getInt64(kAliasOffset)), i64);
  return a.corrected ? corrected(a.own, lanes, i64) : lanes;
}

}  // namespace warpwise::simt
