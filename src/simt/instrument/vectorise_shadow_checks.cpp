// Shadow checks of accesses, for the vectoriser: what Dialect::ShadowCheck (access_checks.h) becomes.
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
#include "simt/instrument/access_checks.h"
#include "simt/instrument/shadow.h"
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
Value* Vectoriser::lies_within(const Address& a, const AccessCheck& check, unsigned field) {
  if (check.pointer == AccessCheck::kNoPointer || (a.space != kGeneric && a.space != kGlobal)) return nullptr;
  Value* first = pointer_provenance(check.pointer, offsetof(PointedTo, first));
  Value* bytes = pointer_provenance(check.pointer, field);
  const uint64_t width = check.access.bytes;
  if (!a.own.is_affine()) {
    Value* offsets = b_.CreateSub(vector_of_address(a), splat(first));
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
  if (check.align > 0) {
    Value* askew = misaligned(a, check.align);
    if (askew->getType()->isVectorTy()) return nullptr;
    also(b_.CreateNot(askew));
  }
  return within;
}

// Is the address no multiple of two to this power? One answer where all lanes' are alike (i1), else a vector.
Value* Vectoriser::misaligned(const Address& a, unsigned log2) {
  const uint64_t low_bits = (uint64_t{1} << log2) - 1;
  bool alike = a.own.is_affine();  // a lane that wraps is 2^32 away, times a constant
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

// One access. Values are vectors of the lanes, or numbers where all lanes have one address.
class Vectoriser::ShadowEmitter {
 public:
  ShadowEmitter(Vectoriser& w, CallInst& call)
      : w_(w),
        b_(w.b_),
        call_(call),
        check_(unpack_check<ShadowCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())),
        a_(w.address_at(check_.at.space, call.getArgOperand(1))),
        number_(b_.getIntNTy(unsigned(check_.at.access.bytes) * 8)),
        one_(a_.own.is_uniform() && a_.space != kLocal),
        place_(b_.getCurrentDebugLocation()),
        done_(block("checked")) {}

  void run() {
    skip_known_memory();
    if (a_.corrected) leave_wrapped_lanes();
    find_shadow();
    Value* seen = read_shadow();
    Value* wrong = compare(seen);
    report_lanes(check_.at.align > 0 ? or_misaligned(wrong) : wrong);
    if (check_.marks) mark(seen, wrong);
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

 private:
  BasicBlock* block(const char* name) { return BasicBlock::Create(w_.context_, name, w_.warp_function_); }
  void guard(Value* condition, BasicBlock* yes, BasicBlock* no) {
    b_.CreateCondBr(condition, yes, no, MDBuilder(w_.context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(w_.context_, {}));
  }
  template <class Event>
  void report(Value* lanes, const Event& event, const Address& at) {
    w_.report(lanes, b_.getInt32(pack(event)), w_.generic_addresses(at),
              Constant::getNullValue(w_.wide(b_.getInt64Ty())), w_.site_of(call_));
  }
  // A fault in the shadow is reported with the address of the access (Site::shadow).
  DebugLoc shadow_place() const {
    if (!place_) return place_;
    return DILocation::get(w_.context_, place_.getLine(), kShadowColumn + 1, place_.getScope(), place_.getInlinedAt());
  }

  // Memory that was correct when the launch began.
  void skip_known_memory() {
    Value* known = w_.lies_within(a_, check_.at, offsetof(PointedTo, readable));
    if (!known) return;
    BasicBlock* closer = block("check");
    guard(known, done_, closer);
    b_.SetInsertPoint(closer);
  }

  // Where the pattern does not hold, the service checks all lanes.
  void leave_wrapped_lanes() {
    BasicBlock *pattern = block("check.pattern"), *wrapped = block("check.wrapped");
    Value* holds = w_.guard_of(a_.own);
    guard(holds, pattern, wrapped);
    b_.SetInsertPoint(wrapped);
    report(w_.mask_bits(w_.mask_), check_.unchecked(), a_);
    b_.CreateBr(done_);
    b_.SetInsertPoint(pattern);
    a_.corrected = false;
  }

  void find_shadow() {
    shadow_ = a_;
    if (shadow_.base) shadow_.base = b_.CreateSub(a_.base, b_.getInt64(kShadowDistance));
    shadow_.extra = b_.CreateSub(a_.extra, b_.getInt64(kShadowDistance));
  }

  Value* read_shadow() {
    b_.SetCurrentDebugLocation(shadow_place());
    Value* seen = read_pattern();
    b_.SetCurrentDebugLocation(place_);
    return seen;
  }
  Value* read_pattern() {
    if (one_) return b_.CreateAlignedLoad(number_, b_.CreateIntToPtr(shadow_.base, b_.getPtrTy()), Align(1), "shadow");
    if (!a_.own.is_affine()) return w_.gather(w_.vector_of_address(shadow_), number_, Align(1), w_.mask_);
    if (Value* seen = w_.load_from_afar(shadow_, number_, Align(1))) return seen;
    if (Value* seen = w_.gather_near(shadow_, number_, Align(1), w_.mask_)) return seen;
    return w_.gather(affine_shadow(), number_, Align(1), w_.mask_);
  }
  Value* affine_shadow() { return w_.affine_vector(shadow_.own, shadow_.base, b_.getInt64Ty()); }

  // Is there a byte that is no memory, or (where the access reads) was never written?
  Value* compare(Value* seen) {
    const unsigned bits = number_->getIntegerBitWidth();
    Constant* wanted = ConstantInt::get(
        number_, check_.reads ? APInt::getAllOnes(bits) : APInt::getSplat(bits, APInt(8, kUninitialised)));
    if (!one_) wanted = ConstantVector::getSplat(ElementCount::getFixed(kLanes), wanted);
    return b_.CreateICmpNE(check_.reads ? seen : b_.CreateAnd(seen, wanted), wanted);
  }

  Value* or_misaligned(Value* wrong) {
    Value* misaligned = w_.misaligned(a_, check_.at.align);
    if (wrong->getType()->isVectorTy() != misaligned->getType()->isVectorTy())
      (one_ ? wrong : misaligned) = w_.splat(one_ ? wrong : misaligned);
    return b_.CreateOr(wrong, misaligned);
  }

  void report_lanes(Value* wrong) {
    Value* lanes = nullptr;
    if (wrong->getType()->isVectorTy())
      lanes =
          w_.mask_bits(b_.CreateSelect(w_.mask_, b_.CreateFreeze(wrong), Constant::getNullValue(w_.mask_->getType())));
    else
      lanes = b_.CreateSelect(b_.CreateFreeze(wrong), w_.mask_bits(w_.mask_), b_.getInt32(0));
    BasicBlock *event = block("check.event"), *behind = block("check.on");
    guard(b_.CreateICmpEQ(lanes, b_.getInt32(0)), behind, event);
    b_.SetInsertPoint(event);
    report(lanes, check_.fault(), a_);
    b_.CreateBr(behind);
    b_.SetInsertPoint(behind);
  }

  // What is memory is written from now on; a wild store may fault yet.
  void mark(Value* seen, Value* wrong) {
    Value* no_memory = b_.CreateFreeze(wrong);
    b_.SetCurrentDebugLocation(shadow_place());
    if (one_) {
      Value* mark = b_.CreateSelect(no_memory, seen, ConstantInt::getAllOnesValue(number_));
      b_.CreateAlignedStore(mark, b_.CreateIntToPtr(shadow_.base, b_.getPtrTy()), Align(1));
    } else {
      Value* marks = ConstantInt::getAllOnesValue(w_.wide(number_));
      Value* memory = b_.CreateAnd(w_.mask_, b_.CreateNot(no_memory));
      if (!a_.own.is_affine())
        w_.scatter(w_.vector_of_address(shadow_), marks, Align(1), memory);
      else if (!w_.store_pattern(shadow_, marks, Align(1), memory))
        w_.scatter(affine_shadow(), marks, Align(1), memory);
    }
    b_.SetCurrentDebugLocation(place_);
  }

  Vectoriser& w_;
  IRBuilder<>& b_;
  CallInst& call_;
  const ShadowCheck check_;
  Address a_, shadow_;
  IntegerType* number_;  // the shadow of a lane's access
  const bool one_;       // all lanes have one address
  const DebugLoc place_;
  BasicBlock* done_;
};

void Vectoriser::emit_shadow_check(CallInst& call) { ShadowEmitter(*this, call).run(); }

}  // namespace warpwise::simt
