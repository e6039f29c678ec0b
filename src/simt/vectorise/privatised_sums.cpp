#include "simt/vectorise/privatised_sums.h"

#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <cstddef>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

void PrivatisedSumEmitter::emit(AtomicRMWInst& rmw, Value* addresses, const std::function<void()>& at_once) {
  Type* type = rmw.getType();
  Type* i64 = b_.getInt64Ty();
  const unsigned bytes = type->getIntegerBitWidth() / 8, shift = unsigned(std::countr_zero(bytes));
  // The low bits turn up at the top: a misaligned address is outside.
  Value* offsets = b_.CreateSub(addresses, splat(changing_field(offsetof(BlockContext, sums_first))));
  Value* numbers = b_.CreateOr(b_.CreateLShr(offsets, shift), b_.CreateShl(offsets, 64 - shift));
  Value* count = b_.CreateLShr(changing_field(offsetof(BlockContext, sums_bytes)), shift);
  Value* outside = b_.CreateAnd(mask_, b_.CreateICmpUGE(numbers, splat(count)));

  auto* inside = BasicBlock::Create(context_, "sums.inside", warp_function_);
  auto* cold = BasicBlock::Create(context_, "sums.outside", warp_function_);
  auto* done = BasicBlock::Create(context_, "summed", warp_function_);
  b_.CreateCondBr(b_.CreateICmpEQ(mask_bits(outside), b_.getInt32(0)), inside, cold,
                  MDBuilder(context_).createLikelyBranchWeights());

  b_.SetInsertPoint(inside);
  b_.CreateStore(b_.getInt64(1), changing_place(offsetof(BlockContext, sums_pending)));
  Value* counters = b_.CreateIntToPtr(changing_field(offsetof(BlockContext, sums)), b_.getPtrTy());
  Value* spilled = spill(b_.CreateTrunc(numbers, wide(b_.getInt32Ty())), "numbers");
  Value* operands = is_uniform(rmw.getValOperand()) ? nullptr : spill(vector(rmw.getValOperand()), "operands");
  for_each_lane_unrolled(mask_, [&](Value* lane) {
    Value* number = b_.CreateZExt(lane_of(spilled, b_.getInt32Ty(), lane), i64);
    Value* counter = b_.CreateGEP(type, counters, number);
    Value* operand = operands ? lane_of(operands, type, lane) : scalar(rmw.getValOperand());
    Value* old = b_.CreateLoad(type, counter);
    b_.CreateStore(rmw.getOperation() == AtomicRMWInst::Add ? b_.CreateAdd(old, operand) : b_.CreateSub(old, operand),
                   counter);
  });
  b_.CreateBr(done);

  b_.SetInsertPoint(cold);
  Value* lane = b_.CreateBinaryIntrinsic(Intrinsic::cttz, mask_bits(outside), b_.getFalse());
  Value* address = lane_of(spill(addresses, "addresses"), i64, b_.CreateAnd(lane, b_.getInt32(kLanes - 1)));
  call_service(Service::open_sums, {block_arg_, address, b_.getInt32(bytes)});
  at_once();
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

// ww.flush_sums: whatever is pending. ww.flush_sums.at: if an active lane's address is in the window.
void PrivatisedSumEmitter::emit_flush(CallInst& call) {
  Value* needed;
  if (call.arg_empty()) {
    needed = b_.CreateICmpNE(changing_field(offsetof(BlockContext, sums_pending)), b_.getInt64(0));
  } else {
    Value* address = call.getArgOperand(0);
    const Shape& shape = shapes_.of(address);
    Value* first = b_.CreateSub(changing_field(offsetof(BlockContext, sums_first)), b_.getInt64(kAliasOffset));
    Value* bytes = changing_field(offsetof(BlockContext, sums_bytes));
    // An access is at most 16 bytes wide (a vector's parts are asked one by one): one that begins before the window may
    // reach in.
    constexpr int64_t kWidest = 16;
    if (shape.is_affine() && shape.corrections.empty() && shape.terms.size() <= 1 &&
        (shape.terms.empty() || !shape.terms[0].coefficient.value)) {
      int64_t low = 0, high = 0;
      if (!shape.terms.empty())
        for (int64_t lane : shape.terms[0].lanes) low = std::min(low, lane), high = std::max(high, lane);
      // [low, high + kWidest) around lane 0's address meets [first, first + bytes), if that is not empty.
      Value* reach = b_.getInt64(uint64_t(high - low + kWidest - 1));
      Value* distance =
          b_.CreateAdd(b_.CreateSub(b_.CreateAdd(scalar(address), b_.getInt64(uint64_t(low))), first), reach);
      needed =
          b_.CreateAnd(b_.CreateICmpULT(distance, b_.CreateAdd(bytes, reach)), b_.CreateICmpNE(bytes, b_.getInt64(0)));
    } else {
      Value* distance = b_.CreateAdd(b_.CreateSub(vector(address), splat(first)), splat(b_.getInt64(kWidest - 1)));
      needed =
          any(b_.CreateAnd(mask_, b_.CreateICmpULT(distance, splat(b_.CreateAdd(bytes, b_.getInt64(kWidest - 1))))));
    }
  }
  auto* settle = BasicBlock::Create(context_, "settle", warp_function_);
  auto* settled = BasicBlock::Create(context_, "settled", warp_function_);
  b_.CreateCondBr(needed, settle, settled, MDBuilder(context_).createUnlikelyBranchWeights());
  b_.SetInsertPoint(settle);
  call_service(Service::flush_sums, {block_arg_});
  b_.CreateBr(settled);
  b_.SetInsertPoint(settled);
}

}  // namespace warpwise::simt
