#include "simt/vectorise/dialect_calls.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/block_values.h"
#include "simt/block/interleave_warps.h"
#include "simt/codegen/min_max.h"

namespace warpwise::simt {

using namespace llvm;

// threadIdx: the index of the thread in its block, taken apart by the block's shape.
void DialectEmitter::emit_tid(CallInst& call, unsigned axis) {
  const uint32_t nx = block_.size[0], ny = block_.size[1], nz = block_.size[2];
  // Remainders and quotients only where the block has several rows or planes.
  auto index = [&](Value* t) -> Value* {
    auto number = [&](uint32_t n) { return ConstantInt::get(t->getType(), n); };
    auto remainder = [&](Value* v, uint32_t n, bool more) { return more ? b_.CreateURem(v, number(n)) : v; };
    if (axis == 0) return remainder(t, nx, ny * nz > 1);
    if (axis == 1) return remainder(nx > 1 ? b_.CreateUDiv(t, number(nx)) : t, ny, nz > 1);
    return b_.CreateUDiv(t, number(nx * ny));
  };
  // With one warp the base is known: let it be a constant.
  Value* first = block_.warps() == 1 ? b_.getInt32(0) : b_.CreateNUWMul(warp_arg_, b_.getInt32(kLanes));
  if (shapes_.of(&call).is_affine()) return set_scalar(call, index(first));
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l) lanes[l] = l;
  set_vector(call, index(b_.CreateAdd(splat(first), lanes_constant(lanes, b_.getInt32Ty()))));
}

void DialectEmitter::emit_lanemask(CallInst& call, Dialect which) {
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t own = uint32_t{1} << l, below = own - 1;
    lanes[l] = int32_t(which == Dialect::LanemaskEq   ? own
                       : which == Dialect::LanemaskLe ? own | below
                       : which == Dialect::LanemaskLt ? below
                       : which == Dialect::LanemaskGe ? ~below
                                                      : ~(own | below));
  }
  set_vector(call, lanes_constant(lanes, b_.getInt32Ty()));
}

void DialectEmitter::emit_local_base(CallInst& call) {
  Type* i64 = b_.getInt64Ty();
  Value* base = b_.CreateSub(block_field(offsetof(BlockContext, local), i64, "local"), b_.getInt64(kAliasOffset));
  Value* first = b_.CreateMul(b_.CreateZExt(warp_arg_, i64), b_.getInt64(uint64_t{kLanes} * options_.local_stride));
  set_scalar(call, b_.CreateAdd(base, first));
}

// isspacep: does the generic address lie in the window of a space?
void DialectEmitter::emit_window_test(CallInst& call, Dialect which) {
  Value* window = load_window_base(b_, block_arg_, which);
  Value* size = load_window_size(b_, block_arg_, which);
  Value* address = call.getArgOperand(0);
  if (is_uniform(address)) return set_scalar(call, b_.CreateICmpULT(b_.CreateSub(scalar(address), window), size));
  set_vector(call, b_.CreateICmpULT(b_.CreateSub(vector(address), splat(window)), splat(size)));
}

void DialectEmitter::emit_min_max(CallInst& call, Dialect which) {
  const bool is_max = which == Dialect::MaxF32 || which == Dialect::MaxF64;
  Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  if (is_uniform(&call)) return set_scalar(call, build_min_max(b_, scalar(x), scalar(y), is_max, false, false, false));
  set_vector(call,
             build_min_max(b_, vector(x), vector(y), is_max, options_.range_instructions, is_quiet(x), is_quiet(y)));
}

void DialectEmitter::emit_block_value(CallInst& call, Dialect which) {
  IRBuilder<> at(w_.prologue_end);
  Value*& known = block_values_[0x10000u + unsigned(which)];
  if (!known) known = load_block_value(at, block_arg_, which, block_);
  set_scalar(call, known);
}

// Barriers stay calls, of scalars, until block/split_at_barriers.h.
void DialectEmitter::emit_barrier(CallInst& call) {
  Instruction* copy = call.clone();
  for (unsigned n = 0; n < call.arg_size(); ++n) cast<CallInst>(copy)->setArgOperand(n, scalar(call.getArgOperand(n)));
  b_.Insert(copy);
}

// Contribute, wait, read: the transition between regions publishes what was gathered (block/split_at_barriers.h). `and`
// gathers the lanes whose predicate is false.
//
//     barrier_result[0] += popc(lanes)   barrier   result = barrier_result[1]
void DialectEmitter::emit_barrier_red(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  const unsigned op = unsigned(cast<ConstantInt>(call.getArgOperand(2))->getZExtValue());
  Value* predicate = b_.CreateFreeze(vector(call.getArgOperand(3)));
  if (op == 1) predicate = b_.CreateNot(predicate);
  Value* bits = mask_bits(b_.CreateSelect(mask_, predicate, Constant::getNullValue(mask_->getType())));
  Value* gathering = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_arg_, offsetof(BlockContext, barrier_result));
  auto* before = b_.CreateLoad(i32, gathering);
  auto* store = b_.CreateStore(b_.CreateAdd(before, b_.CreateUnaryIntrinsic(Intrinsic::ctpop, bits)), gathering);
  for (Instruction* half : {static_cast<Instruction*>(before), static_cast<Instruction*>(store)})
    half->setMetadata(kUpdate, MDNode::get(context_, {}));
  FunctionCallee sync =
      w_.kernel.getParent()->getOrInsertFunction(name_of(Dialect::BarrierSync), b_.getVoidTy(), i32, i32);
  cast<Function>(sync.getCallee())->setConvergent();
  b_.CreateCall(sync, {scalar(call.getArgOperand(0)), scalar(call.getArgOperand(1))})
      ->setMetadata("ww.red", MDNode::get(context_, {}));
  Value* published = b_.CreateConstGEP1_64(b_.getInt8Ty(), block_arg_, offsetof(BlockContext, barrier_result) + 4);
  auto* answer = b_.CreateLoad(i32, published);
  // Block-uniform until the next barrier, where all warps arrive after they have read it.
  answer->setMetadata("ww.common", MDNode::get(context_, {}));
  Value* result = answer;
  if (op == 1) result = b_.CreateZExt(b_.CreateICmpEQ(result, b_.getInt32(0)), i32);
  if (op == 2) result = b_.CreateZExt(b_.CreateICmpNE(result, b_.getInt32(0)), i32);
  set_scalar(call, result);
}

void DialectEmitter::emit_waiting_barrier_red(CallInst& call) {
  for (unsigned n = 0; n < 3; ++n)
    if (!is_uniform(call.getArgOperand(n))) return fail(call);
  Value* predicate = b_.CreateFreeze(vector(call.getArgOperand(3)));
  Value* bits = mask_bits(b_.CreateSelect(mask_, predicate, Constant::getNullValue(mask_->getType())));
  set_scalar(call, call_service(Service::warp_barrier_red,
                                {block_arg_, mask_bits(mask_), scalar(call.getArgOperand(0)),
                                 scalar(call.getArgOperand(1)), scalar(call.getArgOperand(2)), bits, site_of(call)}));
}

void DialectEmitter::emit(CallInst& call, Dialect which) {
  const ServedBy& served = options_.warps_wait ? served_in_warp_mode(which) : served_in_simt_mode(which);
  if (served.is_call()) return services_.emit_served(call, served);
  switch (which) {
    case Dialect::TidX:
    case Dialect::TidY:
    case Dialect::TidZ:
      return emit_tid(call, unsigned(which) - unsigned(Dialect::TidX));
    case Dialect::LaneId:
      return set_scalar(call, b_.getInt32(0));
    case Dialect::WarpId:
      return set_scalar(call, warp_arg_);
    case Dialect::LanemaskEq:
    case Dialect::LanemaskLe:
    case Dialect::LanemaskLt:
    case Dialect::LanemaskGe:
    case Dialect::LanemaskGt:
      return emit_lanemask(call, which);
    case Dialect::LocalBase:
      return emit_local_base(call);
    case Dialect::IsShared:
    case Dialect::IsLocal:
    case Dialect::IsParam:
      return emit_window_test(call, which);
    case Dialect::BarrierSync:
    case Dialect::BarrierArrive:
      return emit_barrier(call);
    case Dialect::BarrierRed:
      return options_.warps_wait ? emit_waiting_barrier_red(call) : emit_barrier_red(call);
    case Dialect::MinF32:
    case Dialect::MaxF32:
    case Dialect::MinF64:
    case Dialect::MaxF64:
      return emit_min_max(call, which);
    default:
      break;
  }
  switch (class_of(which)) {
    case DialectClass::Block:
      return emit_block_value(call, which);
    case DialectClass::Warp:
      return collectives_.emit(call, which);
    case DialectClass::Effect:
    case DialectClass::Pure:
      return emit_effect(call, which);
    default:
      return fail(call);
  }
}

// What has code of its own here (services.inc).
void DialectEmitter::emit_effect(CallInst& call, Dialect which) {
  if (instrument_.emit(call, which)) return;
  switch (which) {
    case Dialect::Nanosleep:  // other blocks, or warps, may run meanwhile
      if (options_.warps_wait)
        call_service(Service::warp_yield, {block_arg_, site_of(call)});
      else
        call_service(Service::poll, {block_arg_, warp_arg_, site_of(call)});
      return;
    case Dialect::Image:
      return services_.emit_image(call);
    case Dialect::StackCheck:
      return services_.emit_stack_check(call);
    case Dialect::FlushSums:
    case Dialect::FlushSumsAt:
      return sums_.emit_flush(call);
    default:
      return fail(call);
  }
}

}  // namespace warpwise::simt
