#include "simt/vectorise/instructions.h"

#include <llvm/IR/IntrinsicInst.h>

namespace warpwise::simt {

using namespace llvm;

InstructionEmitter::InstructionEmitter(WarpBuilder& w)
    : WarpEmitter(w), arithmetic_(w), memory_(w), sums_(w), atomics_(w, memory_, sums_), dialect_(w, memory_, sums_) {}

void InstructionEmitter::emit(Instruction& i) {
  if (!w_.failure.empty()) return skip(i);
  if (isa<IntToPtrInst>(i)) return;  // accesses look through it
  if (auto which = dialect_of(&i)) return dialect_.emit(cast<CallInst>(i), *which);
  if (auto* load = dyn_cast<LoadInst>(&i)) return memory_.emit_load(*load);
  if (auto* store = dyn_cast<StoreInst>(&i)) return memory_.emit_store(*store);
  if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) return atomics_.emit_atomic_rmw(*rmw);
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i)) return atomics_.emit_compare_exchange(*exchange);
  if (isa<DbgInfoIntrinsic>(i)) return;
  if (auto* call = dyn_cast<IntrinsicInst>(&i);
      call && (call->getIntrinsicID() == Intrinsic::assume || call->isLifetimeStartOrEnd()))
    return;
  arithmetic_.emit(i);
}

// The function will be thrown away: any value will do.
void InstructionEmitter::skip(Instruction& i) {
  if (i.getType()->isVoidTy()) return;
  if (auto* type = dyn_cast<StructType>(i.getType())) {
    SmallVector<Value*, 2> fields;
    for (Type* t : type->elements()) fields.push_back(PoisonValue::get(t));
    return set_fields(i, fields);
  }
  set_scalar(i, PoisonValue::get(i.getType()));
  set_vector(i, PoisonValue::get(wide(i.getType())));
}

}  // namespace warpwise::simt
