#include "simt/instrument/vectorise_counts.h"

#include <llvm/IR/Module.h>

namespace warpwise::simt {

using namespace llvm;

void CountEmitter::add_to(uint32_t cell, unsigned word, Value* amount) {
  Type* i64 = b_.getInt64Ty();
  b_.CreateCall(addition(kCountedAdd), {b_.getInt32(cell * kCellWords + word), b_.CreateZExtOrTrunc(amount, i64)});
}

// The function of an addition: v(i32 to what, i64 amount).
FunctionCallee CountEmitter::addition(const char* name) {
  FunctionCallee add =
      w_.kernel.getParent()->getOrInsertFunction(name, b_.getVoidTy(), b_.getInt32Ty(), b_.getInt64Ty());
  auto* function = cast<Function>(add.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return add;
}

Value* CountEmitter::active_lanes(Value* mask) {
  if (auto* constant = dyn_cast<Constant>(mask); constant && constant->isAllOnesValue()) return b_.getInt64(kLanes);
  return b_.CreateZExt(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask)), b_.getInt64Ty());
}

void CountEmitter::emit(CallInst& call, Dialect which) {
  if (which == Dialect::CountAccess || which == Dialect::CountValue)
    return report(call.getArgOperand(0), call.getArgOperand(1), vector(call.getArgOperand(2)));
  if (options_.count == Counting::Steps) return emit_step(call, which);
  const uint32_t cell = uint32_t(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  if (which == Dialect::CountBlock) {
    add_to(cell, kCellWarps, b_.getInt64(1));
    const auto number = [&](unsigned n) { return cast<ConstantInt>(call.getArgOperand(n))->getZExtValue(); };
    b_.CreateCall(addition(kCountedWarp), {warp_arg_, b_.getInt64(WarpWork{number(1), number(2)}.pack())});
    return add_to(cell, kCellLanes, active_lanes(mask_));
  }
  // A guard.
  const bool branch = cast<ConstantInt>(call.getArgOperand(1))->isOne();
  Value* guard = call.getArgOperand(2);
  if (is_uniform(guard)) {
    Value* on = b_.CreateZExt(b_.CreateFreeze(scalar(guard)), b_.getInt64Ty());
    add_to(cell, kCellOnWarps, on);
    return add_to(cell, kCellOnLanes, b_.CreateMul(on, active_lanes(mask_)));
  }
  Value* on = b_.CreateSelect(mask_, b_.CreateFreeze(vector(guard)), Constant::getNullValue(mask_->getType()));
  Value* some = any(on);
  add_to(cell, kCellOnWarps, some);
  add_to(cell, kCellOnLanes, active_lanes(on));
  if (branch) add_to(cell, kCellDivergent, b_.CreateAnd(some, b_.CreateICmpNE(mask_bits(on), mask_bits(mask_))));
}

// A mark as a report of its own: the lanes that are there, and what the guard says to each.
void CountEmitter::emit_step(CallInst& call, Dialect which) {
  const bool guard = which == Dialect::CountGuard;
  const CountedAccess mark{guard ? CountedKind::Guard : CountedKind::Block};
  Type* addresses = wide(b_.getInt64Ty());
  Value* lanes = guard ? b_.CreateZExt(b_.CreateFreeze(vector(call.getArgOperand(2))), addresses)
                       : Constant::getNullValue(addresses);
  report(call.getArgOperand(0), b_.getInt32(mark.pack()), lanes);
}

void CountEmitter::report(Value* cell, Value* what, Value* lanes) {
  Type *i32 = b_.getInt32Ty(), *addresses = wide(b_.getInt64Ty());
  FunctionCallee told =
      w_.kernel.getParent()->getOrInsertFunction(kCountedAccess, b_.getVoidTy(), i32, i32, i32, i32, addresses);
  auto* function = cast<Function>(told.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  b_.CreateCall(told, {cell, what, warp_arg_, mask_bits(mask_), lanes});
}

}  // namespace warpwise::simt
