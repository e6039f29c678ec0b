#include "simt/instrument/stored_values.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "simt/instrument/event_calls.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// An event has a value of eight bytes at most.
constexpr unsigned kMostBytes = 8;

StoreInst& store_of(Instruction& event) {
  Instruction* at = event.getNextNode();
  while (!isa<StoreInst>(at)) at = at->getNextNode();
  return cast<StoreInst>(*at);
}

// Instead of the event one for each eight bytes, right before the store.
void add_value(CallInst& event) {
  StoreInst& store = store_of(event);
  IRBuilder<> b(&store);
  b.SetCurrentDebugLocation(event.getDebugLoc());
  Value *lanes = event.getArgOperand(0), *address = event.getArgOperand(2), *stored = store.getValueOperand();
  const auto bytes = unsigned(event.getDataLayout().getTypeStoreSize(stored->getType()));
  stored = stored->getType()->isPointerTy() ? b.CreatePtrToInt(stored, b.getInt64Ty())
                                            : b.CreateBitCast(stored, b.getIntNTy(8 * bytes));
  const unsigned piece = std::min(bytes, kMostBytes);
  auto told = unpack<event::DeferStore>(uint32_t(cast<ConstantInt>(event.getArgOperand(1))->getZExtValue()));
  told.bytes = uint8_t(piece);
  for (unsigned at = 0; at < bytes; at += piece) {
    Value* value = b.CreateZExtOrTrunc(at == 0 ? stored : b.CreateLShr(stored, 8 * at), b.getInt64Ty());
    Value* place = at == 0 ? address : b.CreateAdd(address, b.getInt64(at));
    b.CreateCall(event.getCalledFunction(), {lanes, b.getInt32(pack(told)), place, value});
  }
  event.eraseFromParent();
}

}  // namespace

void add_stored_values(Function& function) {
  SmallVector<CallInst*, 16> events;
  for (Instruction& i : instructions(function))
    if (is_event(i, EventKind::DeferStore)) events.push_back(cast<CallInst>(&i));
  for (CallInst* event : events) add_value(*event);
}

}  // namespace warpwise::simt
