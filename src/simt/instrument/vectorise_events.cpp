#include "simt/instrument/vectorise_events.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include "simt/block/interleave_warps.h"
#include "simt/instrument/expand_events.h"

namespace warpwise::simt {

using namespace llvm;

void EventEmitter::report(Value* lanes, Value* what, Value* addresses, Value* values, Value* site) {
  b_.CreateCall(report_function(*warp_function_->getParent()),
                {block_arg_, warp_arg_, lanes, what, addresses, values, site});
}

// One call for the lanes where the condition holds, mostly none: what the call needs is made behind the branch.
void EventEmitter::emit(CallInst& call) {
  Type* i64 = b_.getInt64Ty();
  Value *condition = call.getArgOperand(0), *address = call.getArgOperand(2), *value = call.getArgOperand(3);
  const bool always = match(condition, PatternMatch::m_One());
  Value* bits;
  if (always)
    bits = mask_bits(mask_);
  else if (is_uniform(condition))
    bits = b_.CreateSelect(b_.CreateFreeze(scalar(condition)), mask_bits(mask_), b_.getInt32(0));
  else
    bits =
        mask_bits(b_.CreateSelect(mask_, b_.CreateFreeze(vector(condition)), Constant::getNullValue(mask_->getType())));
  // Affine operands become vectors behind the branch.
  auto early = [&](Value* v) {
    const Shape& shape = shapes_.of(v);
    return shape.is_affine() && shape.corrections.empty() ? nullptr : vector(v);
  };
  auto late = [&](Value* v, Value* made) { return made ? made : affine_vector(shapes_.of(v), scalar(v), i64); };
  Value* addresses = early(address);
  Value* values = early(value);
  BasicBlock* on = nullptr;
  if (!always) {
    auto* event = BasicBlock::Create(context_, "event", warp_function_);
    on = BasicBlock::Create(context_, "event.done", warp_function_);
    // An event for no lane is right for every warp, so all interleaved warps may go there as soon as one of them must.
    b_.CreateCondBr(b_.CreateICmpEQ(bits, b_.getInt32(0)), on, event, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
    b_.SetInsertPoint(event);
  }
  report(bits, scalar(call.getArgOperand(1)), late(address, addresses), late(value, values), site_of(call));
  if (always) return;
  b_.CreateBr(on);
  b_.SetInsertPoint(on);
}

}  // namespace warpwise::simt
