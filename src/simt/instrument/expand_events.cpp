#include "simt/instrument/expand_events.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <map>

#include "simt/abi.h"
#include "simt/instrument/events.h"
#include "simt/instrument/lane_operands.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

using namespace llvm;

FunctionCallee report_function(Module& module) {
  LLVMContext& context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *ptr = PointerType::get(context, 0),
       *lanes = FixedVectorType::get(Type::getInt64Ty(context), kLanes);
  return module.getOrInsertFunction(
      kReport, FunctionType::get(Type::getVoidTy(context), {ptr, i32, i32, i32, lanes, lanes, i32}, false));
}

namespace {

// Whether the receiver uses neither addresses nor values: they are not stored then.
bool has_no_operands(uint32_t code) {
  const EventKind kind = kind_of(code);
  if (kind == EventKind::Barrier) return unpack<event::Barrier>(code).of == event::Barrier::Of::Block;
  return is_for_engine(kind) && kind != EventKind::DeferStore && kind != EventKind::Misaligned;
}

}  // namespace

void mark_barriers_as_reported_by_block(Function& region) {
  for (Instruction& i : instructions(region)) {
    auto* call = dyn_cast<CallInst>(&i);
    auto* code = call && is_report(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(3)) : nullptr;
    if (!code) continue;
    if (kind_of(uint32_t(code->getZExtValue())) != EventKind::Barrier) continue;
    const event::Barrier barrier{event::Barrier::Of::WarpOfBlock};
    call->setArgOperand(3, ConstantInt::get(code->getType(), pack(barrier)));
  }
}

namespace {

class EventExpander {
 public:
  explicit EventExpander(Function& function)
      : function_(function), context_(function.getContext()), b_(context_), operands_(*function.getParent()) {}

  void expand(CallInst& call) {
    b_.SetInsertPoint(&call);
    b_.SetCurrentDebugLocation(call.getDebugLoc());
    auto argument = [&](unsigned n) { return call.getArgOperand(n); };
    auto* code = dyn_cast<ConstantInt>(argument(3));
    Value* none = ConstantPointerNull::get(b_.getPtrTy());
    CallInst* report;
    if (code && has_no_operands(uint32_t(code->getZExtValue()))) {
      report =
          call_service(Service::event, {argument(0), argument(1), argument(2), argument(3), none, none, argument(6)});
    } else if (auto pattern = LaneOperands::pattern_of(argument(4))) {
      report = call_service(Service::event_at, {argument(0), argument(1), argument(2), argument(3), pattern->base,
                                                operands_.in_memory(pattern->by_lane),
                                                in_memory(argument(5), values_, "event.values"), argument(6)});
    } else {
      report = call_service(Service::event, {argument(0), argument(1), argument(2), argument(3),
                                             in_memory(argument(4), addresses_, "event.addresses"),
                                             in_memory(argument(5), values_, "event.values"), argument(6)});
    }
    report->addFnAttr(Attribute::NoMerge);  // the call's own address says which access it was
    call.eraseFromParent();
  }

 private:
  Value* in_memory(Value* lanes, AllocaInst*& slot, const char* name) {
    if (auto pattern = LaneOperands::pattern_of(lanes); pattern && isa<Constant>(lanes))
      return operands_.in_memory(pattern->by_lane);
    if (!slot) {
      IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      slot = entry.CreateAlloca(ArrayType::get(b_.getInt64Ty(), kLanes), nullptr, name);
      slot->setAlignment(Align(64));
    }
    b_.CreateAlignedStore(lanes, slot, Align(64));
    return slot;
  }

  CallInst* call_service(Service which, ArrayRef<Value*> arguments) {
    Value*& service = services_[which];
    if (!service) service = load_service_at_entry(function_, which);
    return b_.CreateCall(service_type(which, context_), service, arguments);
  }

  Function& function_;
  LLVMContext& context_;
  IRBuilder<> b_;
  LaneOperands operands_;
  AllocaInst *addresses_ = nullptr, *values_ = nullptr;
  std::map<Service, Value*> services_;
};

}  // namespace

void expand_events(Function& function) {
  SmallVector<CallInst*, 32> events;
  for (Instruction& i : instructions(function))
    if (auto* call = dyn_cast<CallInst>(&i); call && is_report(*call)) events.push_back(call);
  if (events.empty()) return;
  EventExpander expander(function);
  for (CallInst* call : events) expander.expand(*call);
}

}  // namespace warpwise::simt
