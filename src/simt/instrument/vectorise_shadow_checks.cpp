// Shadow checks of accesses, for the vectoriser: what Dialect::ShadowCheck (access_checks.h) becomes.
//
//     all of it lies in memory that was correct when the launch began?     nothing else
//     else                                                                 the shadow is read by the same pattern as
//     the
//                                                                          access; an event for the lanes whose access
//                                                                          it does not allow
//
// Where there are very many (CheckEmitters::shadow_by_call), the second side is one event for all lanes.
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
#include "simt/instrument/vectorise_checks.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// One access. Values are vectors of the lanes, or numbers where all lanes have one address.
class ShadowCheckEmitter : WarpEmitter {
 public:
  using Address = MemoryEmitter::Address;
  ShadowCheckEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call)
      : WarpEmitter(w),
        memory_(emitters.memory),
        addresses_(emitters.addresses),
        events_(emitters.events),
        by_call_(emitters.shadow_by_call),
        call_(call),
        check_(unpack_check<ShadowCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())),
        a_(memory_.address_at(check_.at.space, call.getArgOperand(1))),
        number_(b_.getIntNTy(unsigned(check_.at.access.bytes) * 8)),
        one_(a_.own.is_uniform() && a_.space != kLocal),
        place_(b_.getCurrentDebugLocation()),
        done_(block("checked")) {}

  void run() {
    const bool skips = skip_known_memory();
    if (skips && by_call_) return leave_all_lanes();
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
  BasicBlock* block(const char* name) { return BasicBlock::Create(context_, name, warp_function_); }
  void guard(Value* condition, BasicBlock* yes, BasicBlock* no) {
    b_.CreateCondBr(condition, yes, no, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  }
  template <class Event>
  void report(Value* lanes, const Event& event, const Address& at) {
    events_.report(lanes, b_.getInt32(pack(event)), addresses_.generic_addresses(at),
                   Constant::getNullValue(wide(b_.getInt64Ty())), site_of(call_));
  }
  // A fault in the shadow is reported with the address of the access (Site::shadow).
  DebugLoc shadow_place() const {
    if (!place_) return place_;
    return DILocation::get(context_, place_.getLine(), kShadowColumn + 1, place_.getScope(), place_.getInlinedAt());
  }

  // Memory that was correct when the launch began. False where the question would cost too much.
  bool skip_known_memory() {
    Value* known = addresses_.lies_within(a_, check_.at, offsetof(PointedTo, readable));
    if (!known) return false;
    BasicBlock* closer = block("check");
    guard(known, done_, closer);
    b_.SetInsertPoint(closer);
    return true;
  }

  // The service checks all lanes.
  void leave_all_lanes() {
    report(mask_bits(mask_), check_.unchecked(), a_);
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

  // Where the pattern does not hold, the service checks all lanes.
  void leave_wrapped_lanes() {
    BasicBlock *pattern = block("check.pattern"), *wrapped = block("check.wrapped");
    Value* holds = memory_.guard_of(a_.own);
    guard(holds, pattern, wrapped);
    b_.SetInsertPoint(wrapped);
    report(mask_bits(mask_), check_.unchecked(), a_);
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
    if (!a_.own.is_affine()) return memory_.gather(memory_.vector_of_address(shadow_), number_, Align(1), mask_);
    if (Value* seen = memory_.load_from_afar(shadow_, number_, Align(1))) return seen;
    if (Value* seen = memory_.gather_near(shadow_, number_, Align(1), mask_)) return seen;
    return memory_.gather(affine_shadow(), number_, Align(1), mask_);
  }
  Value* affine_shadow() { return affine_vector(shadow_.own, shadow_.base, b_.getInt64Ty()); }

  // Is there a byte that is no memory, or (where the access reads) was never written?
  Value* compare(Value* seen) {
    const unsigned bits = number_->getIntegerBitWidth();
    Constant* wanted = ConstantInt::get(
        number_, check_.reads ? APInt::getAllOnes(bits) : APInt::getSplat(bits, APInt(8, kUninitialised)));
    if (!one_) wanted = ConstantVector::getSplat(ElementCount::getFixed(kLanes), wanted);
    return b_.CreateICmpNE(check_.reads ? seen : b_.CreateAnd(seen, wanted), wanted);
  }

  Value* or_misaligned(Value* wrong) {
    Value* misaligned = addresses_.misaligned(a_, check_.at.align);
    if (wrong->getType()->isVectorTy() != misaligned->getType()->isVectorTy())
      (one_ ? wrong : misaligned) = splat(one_ ? wrong : misaligned);
    return b_.CreateOr(wrong, misaligned);
  }

  void report_lanes(Value* wrong) {
    Value* lanes = nullptr;
    if (wrong->getType()->isVectorTy())
      lanes = mask_bits(b_.CreateSelect(mask_, b_.CreateFreeze(wrong), Constant::getNullValue(mask_->getType())));
    else
      lanes = b_.CreateSelect(b_.CreateFreeze(wrong), mask_bits(mask_), b_.getInt32(0));
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
      Value* marks = ConstantInt::getAllOnesValue(wide(number_));
      Value* memory = b_.CreateAnd(mask_, b_.CreateNot(no_memory));
      if (!a_.own.is_affine())
        memory_.scatter(memory_.vector_of_address(shadow_), marks, Align(1), memory);
      else if (!memory_.store_pattern(shadow_, marks, Align(1), memory))
        memory_.scatter(affine_shadow(), marks, Align(1), memory);
    }
    b_.SetCurrentDebugLocation(place_);
  }

  MemoryEmitter& memory_;
  CheckedAddresses& addresses_;
  EventEmitter& events_;
  const bool by_call_;
  CallInst& call_;
  const ShadowCheck check_;
  Address a_, shadow_;
  IntegerType* number_;  // the shadow of a lane's access
  const bool one_;       // all lanes have one address
  const DebugLoc place_;
  BasicBlock* done_;
};

}  // namespace

void emit_shadow_check(WarpBuilder& w, CheckEmitters& emitters, CallInst& call) {
  ShadowCheckEmitter(w, emitters, call).run();
}

}  // namespace warpwise::simt
