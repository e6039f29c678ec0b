// Shadow checks of accesses, for the vectoriser: what Dialect::ShadowCheck, ShadowLoad and ShadowStore
// (access_checks.h) become.
//
//     it is written unless unwritten bytes were copied, and none were?     nothing else
//     all of it lies in memory that was correct when the launch began?     nothing else
//     else                                                                 the shadow is read by the same pattern as
//     the
//                                                                          access; an event for the lanes whose access
//                                                                          it does not allow
//
// Where there are very many (CheckEmitters::shadow_by_call), the second side is one event for all lanes. A shadow load
// gives the shadow that it has read, or that all is written; a shadow store does nothing where both sides of a copy lie
// in memory that was correct.
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
#include "simt/lane_order.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// The shadow of one access. Values are vectors of the lanes, or numbers where all lanes have one address.
class AccessedShadow : protected WarpEmitter {
 protected:
  using Address = MemoryEmitter::Address;
  AccessedShadow(WarpBuilder& w, CheckEmitters& emitters, CallInst& call, const AccessCheck& access)
      : WarpEmitter(w),
        memory_(emitters.memory),
        addresses_(emitters.addresses),
        events_(emitters.events),
        call_(call),
        access_(access),
        a_(memory_.address_at(access.space, call.getArgOperand(1))),
        number_(b_.getIntNTy(unsigned(access.access.bytes) * 8)),
        one_(a_.own.is_uniform() && a_.space != kLocal),
        place_(b_.getCurrentDebugLocation()),
        done_(block("checked")) {}

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

  // Memory that was correct when the launch began; null where the question would cost too much.
  Value* known_memory() { return addresses_.lies_within(a_, access_, offsetof(PointedTo, readable)); }

  void find_shadow() {
    shadow_ = a_;
    if (shadow_.base) shadow_.base = b_.CreateSub(a_.base, b_.getInt64(kShadowDistance));
    shadow_.extra = b_.CreateSub(a_.extra, b_.getInt64(kShadowDistance));
  }

  Value* read_shadow() {
    b_.SetCurrentDebugLocation(shadow_place());
    Value* seen = shadow_.corrected ? read_guarded_pattern() : read_pattern();
    b_.SetCurrentDebugLocation(place_);
    return seen;
  }
  // The pattern may not hold in all lanes.
  Value* read_guarded_pattern() {
    BasicBlock *pattern = block("shadow.pattern"), *wrapped = block("shadow.wrapped"), *read = block("shadow.read");
    guard(memory_.guard_of(a_.own), pattern, wrapped);
    b_.SetInsertPoint(wrapped);
    PHINode* seen = PHINode::Create(wide(number_), 2, "seen", read);
    seen->addIncoming(read_pattern(), b_.GetInsertBlock());
    b_.CreateBr(read);
    b_.SetInsertPoint(pattern);
    shadow_.corrected = false;
    seen->addIncoming(read_pattern(), b_.GetInsertBlock());
    shadow_.corrected = true;
    b_.CreateBr(read);
    b_.SetInsertPoint(read);
    return seen;
  }
  Value* read_pattern() {
    if (one_) return b_.CreateAlignedLoad(number_, b_.CreateIntToPtr(shadow_.base, b_.getPtrTy()), Align(1), "shadow");
    if (!is_pattern()) return memory_.gather(memory_.vector_of_address(shadow_), number_, Align(1), mask_);
    if (Value* seen = memory_.load_from_afar(shadow_, number_, Align(1))) return seen;
    if (Value* seen = memory_.gather_near(shadow_, number_, Align(1), mask_)) return seen;
    return memory_.gather(affine_shadow(), number_, Align(1), mask_);
  }
  // at_once: as for MemoryEmitter::scatter().
  void write_pattern(Value* shadow, Value* lanes, unsigned at_once = 0) {
    b_.SetCurrentDebugLocation(shadow_place());
    if (!is_pattern())
      memory_.scatter(memory_.vector_of_address(shadow_), shadow, Align(1), lanes, at_once);
    else if (!memory_.store_pattern(shadow_, shadow, Align(1), lanes))
      memory_.scatter(affine_shadow(), shadow, Align(1), lanes);
    b_.SetCurrentDebugLocation(place_);
  }

  bool is_pattern() const { return shadow_.own.is_affine() && !shadow_.corrected; }
  Value* affine_shadow() { return affine_vector(shadow_.own, shadow_.base, b_.getInt64Ty()); }

  MemoryEmitter& memory_;
  CheckedAddresses& addresses_;
  EventEmitter& events_;
  CallInst& call_;
  const AccessCheck access_;
  Address a_, shadow_;
  IntegerType* number_;  // the shadow of a lane's access
  const bool one_;       // all lanes have one address
  const DebugLoc place_;
  BasicBlock* done_;
};

class ShadowCheckEmitter : AccessedShadow {
 public:
  ShadowCheckEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call)
      : ShadowCheckEmitter(w, emitters, call,
                           unpack_check<ShadowCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())) {}

  void run() {
    if (check_.written) skip_written_memory();
    const bool skips = skip_known_memory() || check_.written;
    if (skips && by_call_) return leave_all_lanes();
    if (a_.corrected) leave_wrapped_lanes();
    find_shadow();
    look_at_shadow();
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

  // Gives the shadow as well.
  void run_load() {
    Type* result = wide(call_.getType());
    PHINode* shadow = PHINode::Create(result, 2, "state", done_);
    if (skip_known_memory()) shadow->addIncoming(Constant::getAllOnesValue(result), *pred_begin(done_));
    find_shadow();
    Value* seen = look_at_shadow();
    if (!seen->getType()->isVectorTy()) seen = splat(seen);
    shadow->addIncoming(b_.CreateZExt(seen, result), b_.GetInsertBlock());
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
    set_vector(call_, shadow);
  }

 private:
  ShadowCheckEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call, const ShadowCheck& check)
      : AccessedShadow(w, emitters, call, check.at), by_call_(emitters.shadow_by_call), check_(check) {}

  // Shared memory that all threads of the block have written, unless what they wrote was a copy of unwritten bytes.
  void skip_written_memory() {
    Value* copied = changing_field(offsetof(BlockContext, copied_unwritten));
    BasicBlock* closer = block("check.copied");
    guard(b_.CreateICmpEQ(copied, b_.getInt64(0)), done_, closer);
    b_.SetInsertPoint(closer);
  }

  // False where the question would cost too much.
  bool skip_known_memory() {
    Value* known = known_memory();
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

  // Reports what the shadow does not allow, and gives it.
  Value* look_at_shadow() {
    Value* seen = read_shadow();
    Value* wrong = compare(seen);
    report_lanes(access_.align > 0 ? or_misaligned(wrong) : wrong);
    if (check_.marks) mark(seen, wrong);
    return seen;
  }

  // Is there a byte that is no memory, or (where the access reads) was never written?
  Value* compare(Value* seen) {
    const unsigned bits = number_->getIntegerBitWidth();
    Constant* wanted = ConstantInt::get(
        number_, check_.reads ? APInt::getAllOnes(bits) : APInt::getSplat(bits, APInt(8, kUninitialised)));
    if (!one_) wanted = ConstantVector::getSplat(ElementCount::getFixed(kLanes), wanted);
    Value* wrong = b_.CreateICmpNE(check_.reads ? seen : b_.CreateAnd(seen, wanted), wanted);
    return check_.copied ? b_.CreateOr(wrong, b_.CreateICmpEQ(seen, wanted)) : wrong;
  }

  Value* or_misaligned(Value* wrong) {
    Value* misaligned = addresses_.misaligned(a_, access_.align);
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
    if (one_) {
      b_.SetCurrentDebugLocation(shadow_place());
      Value* mark = b_.CreateSelect(no_memory, seen, ConstantInt::getAllOnesValue(number_));
      b_.CreateAlignedStore(mark, b_.CreateIntToPtr(shadow_.base, b_.getPtrTy()), Align(1));
      b_.SetCurrentDebugLocation(place_);
    } else {
      write_pattern(ConstantInt::getAllOnesValue(wide(number_)), b_.CreateAnd(mask_, b_.CreateNot(no_memory)));
    }
  }

  const bool by_call_;
  const ShadowCheck check_;
};

class ShadowStoreEmitter : AccessedShadow {
 public:
  ShadowStoreEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call)
      : ShadowStoreEmitter(w, emitters, call,
                           unpack_check<ShadowStore>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())) {}

  void run() {
    Value* shadow = b_.CreateFreeze(vector_of_shadow());
    Value* known = known_memory();
    if (known || store_.tells) {
      Value* part = b_.CreateICmpNE(shadow, Constant::getAllOnesValue(shadow->getType()));
      Value* lanes = mask_bits(b_.CreateSelect(mask_, part, Constant::getNullValue(mask_->getType())));
      Value* whole = b_.CreateICmpEQ(lanes, b_.getInt32(0));
      if (known) skip_where(b_.CreateAnd(known, whole));
      if (store_.tells) tell(whole, lanes);
    }
    find_shadow();
    if (one_)  // the lane whose store is the last one
      write_one(shadow);
    else
      write_pattern(shadow, mask_, stored_at_once(access_.access.bytes));
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

 private:
  ShadowStoreEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call, const ShadowStore& store)
      : AccessedShadow(w, emitters, call, store.at), store_(store) {}

  // Of as many bits as the access.
  Value* vector_of_shadow() {
    Value* given = call_.getArgOperand(2);
    if (auto* extended = dyn_cast<ZExtInst>(given); extended && extended->getSrcTy() == number_)
      return vector(extended->getOperand(0));
    return b_.CreateTrunc(vector(given), wide(number_));
  }

  void skip_where(Value* condition) {
    BasicBlock* closer = block("store.shadow");
    guard(condition, done_, closer);
    b_.SetInsertPoint(closer);
  }

  void tell(Value* whole, Value* lanes) {
    BasicBlock *event = block("copied.event"), *behind = block("copied.on");
    guard(whole, behind, event);
    b_.SetInsertPoint(event);
    report(lanes, event::Uninitialised{.shared = access_.space == kShared}, a_);
    b_.CreateBr(behind);
    b_.SetInsertPoint(behind);
  }

  void write_one(Value* shadow) {
    b_.SetCurrentDebugLocation(shadow_place());
    b_.CreateAlignedStore(b_.CreateExtractElement(shadow, memory_.lane_that_stores(unsigned(access_.access.bytes))),
                          b_.CreateIntToPtr(shadow_.base, b_.getPtrTy()), Align(1));
    b_.SetCurrentDebugLocation(place_);
  }

  const ShadowStore store_;
};

}  // namespace

void emit_shadow_load(WarpBuilder& w, CheckEmitters& emitters, CallInst& call) {
  ShadowCheckEmitter(w, emitters, call).run_load();
}

void emit_shadow_store(WarpBuilder& w, CheckEmitters& emitters, CallInst& call) {
  ShadowStoreEmitter(w, emitters, call).run();
}

void emit_shadow_check(WarpBuilder& w, CheckEmitters& emitters, CallInst& call) {
  ShadowCheckEmitter(w, emitters, call).run();
}

}  // namespace warpwise::simt
