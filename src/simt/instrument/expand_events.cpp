#include "simt/instrument/expand_events.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/instrument/events.h"
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

void expand_events(Function& function) {
  SmallVector<CallInst*, 32> events;
  for (Instruction& i : instructions(function))
    if (auto* call = dyn_cast<CallInst>(&i); call && is_report(*call)) events.push_back(call);
  if (events.empty()) return;
  LLVMContext& context = function.getContext();
  IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
  Type* ptr = b.getPtrTy();
  auto invariant = [&](LoadInst* load) {
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return load;
  };
  auto memory = [&](const char* name) {
    AllocaInst* slot = b.CreateAlloca(ArrayType::get(b.getInt64Ty(), kLanes), nullptr, name);
    slot->setAlignment(Align(64));
    return slot;
  };
  AllocaInst *addresses = memory("event.addresses"), *values = memory("event.values");
  for (CallInst* call : events) {
    b.SetInsertPoint(call);
    b.SetCurrentDebugLocation(call->getDebugLoc());
    auto argument = [&](unsigned n) { return call->getArgOperand(n); };
    auto* code = dyn_cast<ConstantInt>(argument(3));
    const bool bare = code && has_no_operands(uint32_t(code->getZExtValue()));
    if (!bare) {
      b.CreateAlignedStore(argument(4), addresses, Align(64));
      b.CreateAlignedStore(argument(5), values, Align(64));
    }
    Value* none = ConstantPointerNull::get(cast<PointerType>(ptr));
    auto* table = invariant(b.CreateAlignedLoad(
        ptr, b.CreateConstGEP1_64(b.getInt8Ty(), argument(0), offsetof(BlockContext, services)), Align(8)));
    LoadInst* service = invariant(load_service(b, table, Service::event));
    CallInst* report = b.CreateCall(service_type(Service::event, context), service,
                                    {argument(0), argument(1), argument(2), argument(3), bare ? none : addresses,
                                     bare ? none : values, argument(6)});
    report->addFnAttr(Attribute::NoMerge);  // the call's own address says which access it was
    call->eraseFromParent();
  }
}

}  // namespace warpwise::simt
