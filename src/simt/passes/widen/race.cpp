// Accesses that may race, in code that is watched (shadow.h): what Dialect::Race becomes.
//
//     shared memory, and nothing in this region writes it?             nothing (regions_of_races.h)
//     in memory that nobody writes while the kernel runs?              nothing
//     else                                                             the checker is told
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/compiler.h"
#include "simt/passes/gang.h"
#include "simt/passes/regions_of_races.h"
#include "simt/passes/widen/widen.h"
#include "simt/shadow.h"

namespace warpwise::simt {

using namespace llvm;

void Widener::emit_race(CallInst& call) {
  const LookedAt look = LookedAt::unpack(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue());
  Address a = address_at(look.space, call.getArgOperand(1));
  auto block = [&](const char* name) { return BasicBlock::Create(context_, name, warp_function_); };
  BasicBlock* done = block("raced");
  if (look.regional) {
    FunctionCallee question = warp_function_->getParent()->getOrInsertFunction(kRaceQuestion, b_.getInt1Ty(), b_.getInt32Ty());
    cast<Function>(question.getCallee())->setDoesNotAccessMemory();
    BasicBlock* matters = block("race.matters");
    b_.CreateCondBr(b_.CreateCall(question, {b_.getInt32(uint32_t(look.notice.access))}), matters, done);
    b_.SetInsertPoint(matters);
  }
  if (Value* quiet = lies_within(a, look, offsetof(PointedTo, quiet))) {
    BasicBlock* closer = block("race");
    b_.CreateCondBr(quiet, done, closer, MDBuilder(context_).createLikelyBranchWeights())->setMetadata(kGuardBranch, MDNode::get(context_, {}));
    b_.SetInsertPoint(closer);
  }
  Value* value = call.getArgOperand(2);
  const Shape& shape = shapes_.of(value);
  Value* values = shape.is_affine() && shape.corrections.empty() ? affine_vector(shape, scalar(value), b_.getInt64Ty()) : vector(value);
  tell(mask_bits(mask_), b_.getInt32(look.notice.pack()), generic_addresses(a), values, site_of(call));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

}  // namespace warpwise::simt
