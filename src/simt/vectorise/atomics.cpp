// Atomics of a warp: lane after lane, but for sums whose result is not used.
#include "simt/vectorise/atomics.h"

#include "simt/analysis/atomic_reads.h"
#include "simt/block/interleave_warps.h"
#include "simt/codegen/expand_atomics.h"
#include "simt/scalar/log_sums.h"
#include "simt/scalar/privatise_sums.h"

namespace warpwise::simt {

using namespace llvm;

// Whether one host thread owns the memory: then host atomics are not needed.
static bool is_private(unsigned space) { return space == kShared || space == kLocal; }

static bool is_integer_sum(const AtomicRMWInst& rmw) {
  return rmw.getOperation() == AtomicRMWInst::Add || rmw.getOperation() == AtomicRMWInst::Sub;
}

// The forms of an atomicrmw, the cheapest that is right. Lanes update in order, so that the result is the same every
// time.
void AtomicEmitter::emit_atomic_rmw(AtomicRMWInst& rmw) {
  Address a = memory_.address_of(rmw.getPointerOperand());
  const bool uniform_address = a.own.is_uniform() && a.space != kLocal;
  if (uniform_address && only_reads(rmw)) return emit_atomic_read(rmw, a);
  // For an integer sum at one place whose results are not used, one addition is enough.
  if (uniform_address && rmw.use_empty() && is_integer_sum(rmw)) return emit_warp_sum(rmw, a);
  if (rmw.hasMetadata(kLogged)) return emit_logged_lanes(rmw, a, uniform_address);
  if (rmw.hasMetadata(kPrivatised) && !uniform_address) return emit_privatised_lanes(rmw, a);
  emit_atomic_lanes(rmw, a, uniform_address);
}

// An update that changes nothing, at one address. In private memory a load is as good. Elsewhere the update may order
// what other threads see.
void AtomicEmitter::emit_atomic_read(AtomicRMWInst& rmw, const Address& a) {
  Value* pointer = b_.CreateIntToPtr(a.base, b_.getPtrTy());
  Value* found =
      is_private(a.space)
          ? static_cast<Value*>(b_.CreateAlignedLoad(rmw.getType(), pointer, rmw.getAlign(), rmw.isVolatile()))
          : b_.CreateAtomicRMW(rmw.getOperation(), pointer, rmw.getValOperand(), rmw.getAlign(), rmw.getOrdering());
  set_scalar(rmw, found);
}

// A load and a store, in private memory. Gives what was there before.
Value* AtomicEmitter::emit_private_update(AtomicRMWInst& rmw, Value* pointer, Value* operand) {
  auto* old = b_.CreateAlignedLoad(rmw.getType(), pointer, rmw.getAlign());
  Value* next = !is_integer_sum(rmw)                       ? canonical_sum(b_, old, operand)
                : rmw.getOperation() == AtomicRMWInst::Add ? b_.CreateAdd(old, operand)
                                                           : b_.CreateSub(old, operand);
  auto* store = b_.CreateAlignedStore(next, pointer, rmw.getAlign());
  for (Instruction* half : {static_cast<Instruction*>(old), static_cast<Instruction*>(store)})
    half->setMetadata(kUpdate, MDNode::get(context_, {}));
  return old;
}

// The sum over the active lanes, added once.
void AtomicEmitter::emit_warp_sum(AtomicRMWInst& rmw, const Address& a) {
  Type* type = rmw.getType();
  Value* zero = Constant::getNullValue(wide(type));
  Value* total;
  if (is_uniform(rmw.getValOperand())) {
    Value* count = b_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask_));
    total = b_.CreateMul(scalar(rmw.getValOperand()), b_.CreateZExtOrTrunc(count, type));
  } else {
    total = b_.CreateAddReduce(b_.CreateSelect(mask_, vector(rmw.getValOperand()), zero));
  }
  Value* pointer = b_.CreateIntToPtr(a.base, b_.getPtrTy());
  if (is_private(a.space))
    emit_private_update(rmw, pointer, total);
  else
    b_.CreateAtomicRMW(rmw.getOperation(), pointer, total, rmw.getAlign(), rmw.getOrdering());
  set_vector(rmw, PoisonValue::get(wide(type)));
}

// scalar/privatise_sums.h
void AtomicEmitter::emit_privatised_lanes(AtomicRMWInst& rmw, const Address& a) {
  Type* type = rmw.getType();
  Value* lanes = memory_.vector_of_address(a);
  sums_.emit(rmw, lanes, [&] {
    Value* addresses = spill(lanes, "addresses");
    Value* operands = is_uniform(rmw.getValOperand()) ? nullptr : spill(vector(rmw.getValOperand()), "operands");
    for_each_lane(mask_, [&](Value* lane) {
      Value* operand = operands ? lane_of(operands, type, lane) : scalar(rmw.getValOperand());
      b_.CreateAtomicRMW(rmw.getOperation(),
                         b_.CreateIntToPtr(lane_of(addresses, b_.getInt64Ty(), lane), b_.getPtrTy()), operand,
                         rmw.getAlign(), rmw.getOrdering());
    });
  });
  set_vector(rmw, PoisonValue::get(wide(type)));
}

// scalar/log_sums.h
void AtomicEmitter::emit_logged_lanes(AtomicRMWInst& rmw, const Address& a, bool uniform_address) {
  logged_sums_.emit(rmw, uniform_address ? a.base : nullptr, uniform_address ? nullptr : memory_.vector_of_address(a),
                    [&] { emit_atomic_lanes(rmw, a, uniform_address); });
  set_vector(rmw, PoisonValue::get(wide(rmw.getType())));
}

void AtomicEmitter::emit_atomic_lanes(AtomicRMWInst& rmw, const Address& a, bool uniform_address) {
  Type* type = rmw.getType();
  // An offset into shared memory has 32 bits: half as much to write down and read back.
  const bool near = a.space == kShared && !uniform_address;
  Value* offsets = near ? spill(b_.CreateTrunc(vector(a.source), wide(b_.getInt32Ty())), "offsets") : nullptr;
  Value* addresses = uniform_address || near ? nullptr : spill(memory_.vector_of_address(a), "addresses");
  Value* operands = is_uniform(rmw.getValOperand()) ? nullptr : spill(vector(rmw.getValOperand()), "operands");
  Value* results = rmw.use_empty() ? nullptr : spill(PoisonValue::get(wide(type)), "results");
  auto one_lane = [&](Value* lane) {
    Value* address =
        addresses ? lane_of(addresses, b_.getInt64Ty(), lane)
        : near    ? b_.CreateAdd(a.extra, b_.CreateZExt(lane_of(offsets, b_.getInt32Ty(), lane), b_.getInt64Ty()))
                  : a.base;
    Value* operand = operands ? lane_of(operands, type, lane) : scalar(rmw.getValOperand());
    Value* old = emit_lane_update(rmw, a.space, b_.CreateIntToPtr(address, b_.getPtrTy()), operand);
    if (results) set_lane(results, type, lane, old);
  };
  if (results)
    for_each_lane(mask_, one_lane);
  else
    for_each_lane_unrolled(mask_, one_lane);  // histograms spend their time here
  set_vector(rmw, results ? unspill(results, wide(type)) : PoisonValue::get(wide(type)));
}

Value* AtomicEmitter::emit_lane_update(AtomicRMWInst& rmw, unsigned space, Value* pointer, Value* operand) {
  if (is_private(space) && (is_integer_sum(rmw) || rmw.getOperation() == AtomicRMWInst::FAdd))
    return emit_private_update(rmw, pointer, operand);
  auto* update = b_.CreateAtomicRMW(rmw.getOperation(), pointer, operand, rmw.getAlign(), rmw.getOrdering(),
                                    is_private(space) ? SyncScope::SingleThread : SyncScope::System);
  update->setVolatile(rmw.isVolatile());
  if (MDNode* flush = rmw.getMetadata("ww.ftz")) update->setMetadata("ww.ftz", flush);
  return update;
}

void AtomicEmitter::emit_compare_exchange(AtomicCmpXchgInst& exchange) {
  Address a = memory_.address_of(exchange.getPointerOperand());
  Type* type = exchange.getCompareOperand()->getType();
  Value* addresses =
      a.own.is_uniform() && a.space != kLocal ? nullptr : spill(memory_.vector_of_address(a), "addresses");
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
