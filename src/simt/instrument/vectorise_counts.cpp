#include "simt/instrument/vectorise_counts.h"

#include <llvm/IR/Module.h>

namespace warpwise::simt {

using namespace llvm;

namespace {

// Of a Dialect::CountBlock.
WarpWork work_of(const CallInst& call) {
  const auto number = [&](unsigned n) { return cast<ConstantInt>(call.getArgOperand(n))->getZExtValue(); };
  return {number(1), number(2)};
}

}  // namespace

void CountEmitter::add_to(uint32_t cell, unsigned word, Value* amount) {
  mark(kCountedAdd, {b_.getInt32(cell * kCellWords + word), b_.CreateZExtOrTrunc(amount, b_.getInt64Ty())});
}

// A call of a function that is left for expand_counts.
void CountEmitter::mark(const char* name, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 5> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee =
      w_.kernel.getParent()->getOrInsertFunction(name, FunctionType::get(b_.getVoidTy(), types, false));
  auto* function = cast<Function>(callee.getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  b_.CreateCall(callee, arguments);
}

Value* CountEmitter::active_lanes(Value* mask) {
  if (auto* constant = dyn_cast<Constant>(mask); constant && constant->isAllOnesValue()) return b_.getInt64(kLanes);
  return b_.CreateZExt(b_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask)), b_.getInt64Ty());
}

namespace {

LaneMark lane_mark(CallInst& call) { return LaneMark(cast<ConstantInt>(call.getArgOperand(1))->getZExtValue()); }

}  // namespace

void CountEmitter::emit(CallInst& call, Dialect which) {
  if (which == Dialect::CountAccess || which == Dialect::CountValue)
    return report(call.getArgOperand(0), call.getArgOperand(1), vector(call.getArgOperand(2)));
  if (options_.count == Counting::Steps) return emit_step(call, which);
  if (options_.compact) return emit_short(call, which);
  const uint32_t cell = uint32_t(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  if (which == Dialect::CountBlock) {
    add_to(cell, kCellWarps, b_.getInt64(1));
    mark(kCountedWarp, {warp_arg_, b_.getInt64(work_of(call).pack())});
    return add_to(cell, kCellLanes, active_lanes(mask_));
  }
  // A guard.
  const bool branch = lane_mark(call) == LaneMark::Branch;
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

void CountEmitter::emit_short(CallInst& call, Dialect which) {
  Value *cell = call.getArgOperand(0), *mask = mask_bits(mask_);
  if (which == Dialect::CountBlock)
    return mark(kCountedBlock, {cell, b_.getInt64(work_of(call).pack()), warp_arg_, mask});
  const bool branch = lane_mark(call) == LaneMark::Branch;
  Value* guard = call.getArgOperand(2);
  if (is_uniform(guard)) {
    Value* on = b_.CreateFreeze(scalar(guard));
    Value* lanes = b_.CreateSelect(on, mask, b_.getInt32(0));
    return mark(kCountedGuard, {cell, b_.CreateZExt(on, b_.getInt32Ty()), lanes, lanes});
  }
  Value* lanes =
      mask_bits(b_.CreateSelect(mask_, b_.CreateFreeze(vector(guard)), Constant::getNullValue(mask_->getType())));
  mark(kCountedGuard, {cell, b_.getInt32(0), lanes, branch ? mask : lanes});
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
  mark(kCountedAccess, {cell, what, warp_arg_, mask_bits(mask_), lanes});
}

}  // namespace warpwise::simt
