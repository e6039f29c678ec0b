#include "simt/thread/thread_builder.h"

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/block_values.h"

namespace warpwise::simt {

using namespace llvm;

ThreadBuilder::ThreadBuilder(Function& function, Value* thread)
    : function(function), thread(thread), context(function.getContext()), b(context) {
  b.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  entry = field(offsetof(ThreadContext, block), b.getPtrTy(), "block");
  block = entry;
}

AllocaInst* ThreadBuilder::words(uint64_t count) {
  IRBuilder<> at(entry);
  return at.CreateAlloca(ArrayType::get(b.getInt32Ty(), count));
}

LoadInst* ThreadBuilder::field(unsigned offset, Type* type, const char* name) {
  auto* load = b.CreateAlignedLoad(type, b.CreateConstGEP1_64(b.getInt8Ty(), thread, offset),
                                   Align(type->isIntegerTy(32) ? 4 : 8), name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}

Value* ThreadBuilder::site(const Instruction& i) {
  return b.getInt32(i.getDebugLoc() ? i.getDebugLoc().getLine() - 1 : 0);
}

CallInst* ThreadBuilder::invoke(Service service, ArrayRef<Value*> arguments) {
  Value* table = load_block_field(b, block, offsetof(BlockContext, services), b.getPtrTy(), "services");
  return call_service(b, table, service, arguments);
}

Value* ThreadBuilder::linear() { return field(offsetof(ThreadContext, thread), b.getInt32Ty(), "thread"); }

Value* ThreadBuilder::lane() { return b.CreateAnd(linear(), b.getInt32(31)); }

Value* ThreadBuilder::warp() { return b.CreateLShr(linear(), b.getInt32(5)); }

Value* ThreadBuilder::own_bit() { return b.CreateShl(b.getInt32(1), lane()); }

Value* ThreadBuilder::with_second_result(StructType* type, Value* first) {
  Value* pair = b.CreateInsertValue(PoisonValue::get(type), first, 0);
  return b.CreateInsertValue(pair, b.CreateICmpNE(b.CreateLoad(b.getInt32Ty(), second_result()), b.getInt32(0)), 1);
}

// Where a service leaves it; read at once, so one place does for all.
Value* ThreadBuilder::second_result() {
  if (!second_result_) second_result_ = IRBuilder<>(entry).CreateAlloca(b.getInt32Ty());
  return second_result_;
}

}  // namespace warpwise::simt
