#include "simt/instrument/bind_thread.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/block_values.h"
#include "simt/instrument/access_checks.h"
#include "simt/instrument/shadow.h"

namespace warpwise::simt {

using namespace llvm;

bool ThreadInstrument::emit(CallInst& call, Dialect which) {
  auto arg = [&](unsigned n) { return call.getArgOperand(n); };
  switch (which) {
    case Dialect::Event:
      event(call);
      return true;
    case Dialect::ShadowCheck:
      leave_check_to_service(call);
      return true;
    case Dialect::ShadowLoad32:
    case Dialect::ShadowLoad64:
      leave_check_to_service(call);
      load_shadow(call);
      return true;
    case Dialect::ShadowStore:
      store_shadow(call);
      return true;
    case Dialect::Race:
      leave_race_to_service(call);
      return true;
    case Dialect::CountBlock:
      count(kMarkBlock, arg(0), b_.getInt32(0), b_.getInt64(0));
      return true;
    case Dialect::CountGuard:
      count(kMarkGuard, arg(0), arg(1), b_.CreateZExt(b_.CreateFreeze(arg(2)), b_.getInt64Ty()));
      return true;
    case Dialect::CountAccess:
      count(kMarkAccess, arg(0), arg(1), arg(2));
      return true;
    case Dialect::CountValue:
      count(kMarkValue, arg(0), arg(1), arg(2));
      return true;
    default:
      return false;
  }
}

void ThreadInstrument::event(CallInst& call) {
  Instruction* on_event = SplitBlockAndInsertIfThen(call.getArgOperand(0), &call, false,
                                                    MDBuilder(t_.context).createUnlikelyBranchWeights());
  b_.SetInsertPoint(on_event);
  b_.SetCurrentDebugLocation(call.getDebugLoc());
  call_event(call, uint32_t(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue()), call.getArgOperand(2),
             call.getArgOperand(3));
  b_.SetInsertPoint(&call);
}

void ThreadInstrument::call_event(CallInst& call, uint32_t what, Value* address, Value* value, Value* of) {
  if (!event_address_) {
    IRBuilder<> at(t_.entry);
    event_address_ = at.CreateAlloca(b_.getInt64Ty());
    event_value_ = at.CreateAlloca(b_.getInt64Ty());
  }
  b_.CreateStore(address, event_address_);
  b_.CreateStore(value, event_value_);
  CallInst* report = t_.invoke(Service::event, {t_.block, t_.warp(), b_.getInt32(1), b_.getInt32(what), event_address_,
                                                event_value_, of ? of : t_.site(call)});
  report->addFnAttr(Attribute::NoMerge);  // the call's own address says which access it was
}

// A check of a kernel that could not be vectorised is left to the service, and so are all race checks in this mode.
void ThreadInstrument::leave_check_to_service(CallInst& call) {
  const uint64_t code = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const auto check = unpack_check<ShadowCheck>(code);
  call_event(call, pack(check.unchecked()), generic(call.getArgOperand(1), check.at.space), b_.getInt64(0));
}

// Where the shadow of an access lies.
Value* ThreadInstrument::shadow_of(Value* address, unsigned space) {
  return b_.CreateIntToPtr(b_.CreateAdd(generic(address, space), b_.getInt64(kAliasOffset - kShadowDistance)),
                           b_.getPtrTy());
}

void ThreadInstrument::load_shadow(CallInst& call) {
  const auto at = unpack_check<ShadowCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue()).at;
  Value* shadow =
      b_.CreateAlignedLoad(b_.getIntNTy(at.access.bytes * 8u), shadow_of(call.getArgOperand(1), at.space), Align(1));
  call.replaceAllUsesWith(b_.CreateZExt(shadow, call.getType()));
}

void ThreadInstrument::store_shadow(CallInst& call) {
  const auto at = unpack_check<ShadowStore>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue()).at;
  b_.CreateAlignedStore(b_.CreateTrunc(call.getArgOperand(2), b_.getIntNTy(at.access.bytes * 8u)),
                        shadow_of(call.getArgOperand(1), at.space), Align(1));
}

void ThreadInstrument::leave_race_to_service(CallInst& call) {
  const auto check = unpack_check<RaceCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  call_event(call, pack(check.event()), generic(call.getArgOperand(1), check.at.space), call.getArgOperand(2),
             call.getArgOperand(3));
}

Value* ThreadInstrument::generic(Value* address, unsigned space) {
  Value* base = space == kShared
                    ? load_block_field(b_, t_.block, offsetof(BlockContext, shared), b_.getInt64Ty(), "shared")
                : space == kLocal ? t_.field(offsetof(ThreadContext, local), b_.getInt64Ty(), "local")
                                  : nullptr;
  return base ? b_.CreateAdd(address, b_.CreateSub(base, b_.getInt64(kAliasOffset))) : address;
}

void ThreadInstrument::count(uint32_t mark, Value* cell, Value* what, Value* value) {
  t_.invoke(Service::count_thread, {t_.thread, b_.getInt32(mark), cell, what, value});
}

}  // namespace warpwise::simt
