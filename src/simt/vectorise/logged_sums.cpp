#include "simt/vectorise/logged_sums.h"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

Value* LoggedSumEmitter::any_outside(AtomicRMWInst& rmw, Value* address, Value* addresses) {
  const uint64_t bytes = rmw.getType()->getPrimitiveSizeInBits() / 8;
  // An element is inside if its first byte is: the window's size is a multiple of it, and addresses are aligned.
  Value* first = changing_field(offsetof(BlockContext, log_first));
  Value* size = b_.CreateAnd(changing_field(offsetof(BlockContext, log_bytes)), b_.getInt64(~(bytes - 1)));
  if (address) return b_.CreateICmpUGE(b_.CreateSub(address, first), size);
  Value* outside = b_.CreateAnd(mask_, b_.CreateICmpUGE(b_.CreateSub(addresses, splat(first)), splat(size)));
  return b_.CreateICmpNE(mask_bits(outside), b_.getInt32(0));
}

// Whole vectors where all lanes are active, else lane after lane.
void LoggedSumEmitter::emit_entries(Value* addresses, Value* operands) {
  Type* i64 = b_.getInt64Ty();
  Value* next_field = changing_place(offsetof(BlockContext, log_next));
  auto entry = [&](Value* next, uint64_t reach) {
    return b_.CreateIntToPtr(b_.CreateAdd(next, b_.getInt64(reach)), b_.getPtrTy());
  };
  auto* all = BasicBlock::Create(context_, "sums.all", warp_function_);
  auto* some = BasicBlock::Create(context_, "sums.some", warp_function_);
  auto* done = BasicBlock::Create(context_, "sums.logged", warp_function_);
  b_.CreateCondBr(b_.CreateICmpEQ(mask_bits(mask_), b_.getInt32(~0u)), all, some);

  b_.SetInsertPoint(all);
  Value* next = b_.CreateLoad(i64, next_field);
  b_.CreateAlignedStore(addresses, entry(next, 0), Align(8));
  b_.CreateAlignedStore(operands, entry(next, kLogReach), Align(8));
  b_.CreateStore(b_.CreateAdd(next, b_.getInt64(8 * kLanes)), next_field);
  b_.CreateBr(done);

  b_.SetInsertPoint(some);
  Value *each_address = spill(addresses, "addresses"), *each_operand = spill(operands, "operands");
  for_each_lane(mask_, [&](Value* lane) {
    Value* place = b_.CreateLoad(i64, next_field);
    b_.CreateStore(lane_of(each_address, i64, lane), entry(place, 0));
    b_.CreateStore(lane_of(each_operand, i64, lane), entry(place, kLogReach));
    b_.CreateStore(b_.CreateAdd(place, b_.getInt64(8)), next_field);
  });
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void LoggedSumEmitter::emit(AtomicRMWInst& rmw, Value* address, Value* addresses,
                            const std::function<void()>& at_once) {
  Type* i64 = b_.getInt64Ty();
  Type* bits = b_.getIntNTy(unsigned(rmw.getType()->getPrimitiveSizeInBits()));
  Value* room =
      b_.CreateICmpULE(b_.CreateAdd(changing_field(offsetof(BlockContext, log_next)), b_.getInt64(8 * kLanes)),
                       changing_field(offsetof(BlockContext, log_end)));
  Value* inside = b_.CreateAnd(room, b_.CreateNot(any_outside(rmw, address, addresses)));
  if (!addresses) addresses = splat(address);
  Value* operands = b_.CreateZExt(b_.CreateBitCast(vector(rmw.getValOperand()), wide(bits)), wide(i64));

  auto* warm = BasicBlock::Create(context_, "sums.inside", warp_function_);
  auto* cold = BasicBlock::Create(context_, "sums.outside", warp_function_);
  auto* at_once_block = BasicBlock::Create(context_, "sums.at_once", warp_function_);
  auto* done = BasicBlock::Create(context_, "summed", warp_function_);
  b_.CreateCondBr(inside, warm, cold, MDBuilder(context_).createLikelyBranchWeights());

  b_.SetInsertPoint(warm);
  b_.CreateStore(b_.getInt64(1), changing_place(offsetof(BlockContext, sums_pending)));
  emit_entries(addresses, operands);
  b_.CreateBr(done);

  b_.SetInsertPoint(cold);
  Value* logged = call_service(
      Service::log_sums, {block_arg_, mask_bits(mask_), spill(addresses, "addresses"), spill(operands, "operands")});
  b_.CreateCondBr(b_.CreateICmpNE(logged, b_.getInt32(0)), done, at_once_block);

  b_.SetInsertPoint(at_once_block);
  at_once();
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

}  // namespace warpwise::simt
