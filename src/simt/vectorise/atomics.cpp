// Atomics of a warp: lane after lane, but for sums that nobody asks the result of.
#include "simt/analysis/atomic_reads.h"
#include "simt/block/interleave_warps.h"
#include "simt/codegen/expand_atomics.h"
#include "simt/scalar/privatise_sums.h"
#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

// Shared and local memory belong to one host thread: no host atomics. Lanes in order, so that the
// answer is the same every time.
void Vectoriser::emit_atomic_rmw(AtomicRMWInst& rmw) {
  Address a = address_of(rmw.getPointerOperand());
  Type* type = rmw.getType();
  const bool private_memory = a.space == kShared || a.space == kLocal;
  const bool uniform_address = a.own.is_uniform() && a.space != kLocal;
  // Nobody looks at the results of an integer sum at one place: one addition will do.
  const bool sum = rmw.getOperation() == AtomicRMWInst::Add || rmw.getOperation() == AtomicRMWInst::Sub;
  if (uniform_address && only_reads(rmw)) {
    // Shared memory belongs to one host thread: a load is as good. Elsewhere the update may order what others see.
    Value* pointer = b_.CreateIntToPtr(a.base, b_.getPtrTy());
    Value* found =
        private_memory
            ? static_cast<Value*>(b_.CreateAlignedLoad(type, pointer, rmw.getAlign(), rmw.isVolatile()))
            : b_.CreateAtomicRMW(rmw.getOperation(), pointer, rmw.getValOperand(), rmw.getAlign(), rmw.getOrdering());
    return set_scalar(rmw, found);
  }
  // In memory of one host thread; what was there before.
  auto update = [&](Value* pointer, Value* operand) -> Value* {
    auto* old = b_.CreateAlignedLoad(type, pointer, rmw.getAlign());
    Value* next = !sum                                       ? canonical_sum(b_, old, operand)
                  : rmw.getOperation() == AtomicRMWInst::Add ? b_.CreateAdd(old, operand)
                                                             : b_.CreateSub(old, operand);
    auto* store = b_.CreateAlignedStore(next, pointer, rmw.getAlign());
    for (Instruction* half : {static_cast<Instruction*>(old), static_cast<Instruction*>(store)})
      half->setMetadata(kUpdate, MDNode::get(context_, {}));
    return old;
  };
  if (uniform_address && rmw.use_empty() && sum) {
    Value* zero = Constant::getNullValue(wide(type));
    Value* total;
    if (is_uniform(rmw.getValOperand())) {
      Value* count = b_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask_));
      total = b_.CreateMul(scalar(rmw.getValOperand()), b_.CreateZExtOrTrunc(count, type));
    } else {
      total = b_.CreateAddReduce(b_.CreateSelect(mask_, vector(rmw.getValOperand()), zero));
    }
    Value* pointer = b_.CreateIntToPtr(a.base, b_.getPtrTy());
    if (private_memory) {
      update(pointer, total);
    } else {
      b_.CreateAtomicRMW(rmw.getOperation(), pointer, total, rmw.getAlign(), rmw.getOrdering());
    }
    return set_vector(rmw, PoisonValue::get(wide(type)));
  }
  if (rmw.hasMetadata(kPrivatised) && !uniform_address) {
    Value* lanes = vector_of_address(a);
    emit_privatised_sum(rmw, lanes, [&] {
      Value* addresses = spill(lanes, "addresses");
      Value* operands = is_uniform(rmw.getValOperand()) ? nullptr : spill(vector(rmw.getValOperand()), "operands");
      for_each_lane(mask_, [&](Value* lane) {
        Value* operand = operands ? lane_of(operands, type, lane) : scalar(rmw.getValOperand());
        b_.CreateAtomicRMW(rmw.getOperation(),
                           b_.CreateIntToPtr(lane_of(addresses, b_.getInt64Ty(), lane), b_.getPtrTy()), operand,
                           rmw.getAlign(), rmw.getOrdering());
      });
    });
    return set_vector(rmw, PoisonValue::get(wide(type)));
  }
  // An offset into shared memory has 32 bits: half as much to write down and read back.
  const bool near = a.space == kShared && !uniform_address;
  Value* offsets = near ? spill(b_.CreateTrunc(vector(a.source), wide(b_.getInt32Ty())), "offsets") : nullptr;
  Value* addresses = uniform_address || near ? nullptr : spill(vector_of_address(a), "addresses");
  Value* operands = is_uniform(rmw.getValOperand()) ? nullptr : spill(vector(rmw.getValOperand()), "operands");
  Value* results = rmw.use_empty() ? nullptr : spill(PoisonValue::get(wide(type)), "results");
  auto one_lane = [&](Value* lane) {
    Value* address =
        addresses ? lane_of(addresses, b_.getInt64Ty(), lane)
        : near    ? b_.CreateAdd(a.extra, b_.CreateZExt(lane_of(offsets, b_.getInt32Ty(), lane), b_.getInt64Ty()))
                  : a.base;
    Value* operand = operands ? lane_of(operands, type, lane) : scalar(rmw.getValOperand());
    Value* pointer = b_.CreateIntToPtr(address, b_.getPtrTy());
    Value* old;
    if (private_memory && (sum || rmw.getOperation() == AtomicRMWInst::FAdd)) {
      old = update(pointer, operand);
    } else {
      auto* one = b_.CreateAtomicRMW(rmw.getOperation(), pointer, operand, rmw.getAlign(), rmw.getOrdering(),
                                     private_memory ? SyncScope::SingleThread : SyncScope::System);
      one->setVolatile(rmw.isVolatile());
      if (MDNode* flush = rmw.getMetadata("ww.ftz")) one->setMetadata("ww.ftz", flush);
      old = one;
    }
    if (results) set_lane(results, type, lane, old);
  };
  if (!results) {
    // Histograms live here: no loop when all lanes take part.
    auto* all = BasicBlock::Create(context_, "all_lanes", warp_function_);
    auto* some = BasicBlock::Create(context_, "some_lanes", warp_function_);
    auto* done = BasicBlock::Create(context_, "added", warp_function_);
    b_.CreateCondBr(b_.CreateICmpEQ(mask_bits(mask_), b_.getInt32(~0u)), all, some);
    b_.SetInsertPoint(all);
    for (unsigned l = 0; l < kLanes; ++l) one_lane(b_.getInt32(l));
    b_.CreateBr(done);
    b_.SetInsertPoint(some);
    for_each_lane(mask_, one_lane);
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  } else {
    for_each_lane(mask_, one_lane);
  }
  set_vector(rmw, results ? unspill(results, wide(type)) : PoisonValue::get(wide(type)));
}

void Vectoriser::emit_compare_exchange(AtomicCmpXchgInst& exchange) {
  Address a = address_of(exchange.getPointerOperand());
  Type* type = exchange.getCompareOperand()->getType();
  Value* addresses = a.own.is_uniform() && a.space != kLocal ? nullptr : spill(vector_of_address(a), "addresses");
  Value* expected = spill(vector(exchange.getCompareOperand()), "expected");
  Value* desired = spill(vector(exchange.getNewValOperand()), "desired");
  Value* results = spill(PoisonValue::get(wide(type)), "results");
  for_each_lane(mask_, [&](Value* lane) {
    Value* address = addresses ? lane_of(addresses, b_.getInt64Ty(), lane) : a.base;
    Value* pair = b_.CreateAtomicCmpXchg(b_.CreateIntToPtr(address, b_.getPtrTy()), lane_of(expected, type, lane),
                                         lane_of(desired, type, lane), exchange.getAlign(),
                                         exchange.getSuccessOrdering(), exchange.getFailureOrdering());
    set_lane(results, type, lane, b_.CreateExtractValue(pair, 0));
  });
  Value* old = unspill(results, wide(type));
  set_fields(exchange, {old, b_.CreateICmpEQ(old, vector(exchange.getCompareOperand()))});
}

}  // namespace warpwise::simt
