#include "simt/thread/thread_tensors.h"

#include <algorithm>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

// The registers in memory: those of a, then those of d, which come back.
Value* ThreadTensors::wgmma(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  auto* result = cast<StructType>(call.getType());
  const unsigned words = call.arg_size() - kWgmmaScalars, outputs = result->getNumElements(), first = words - outputs;
  Value* memory = t_.words(words);
  for (unsigned n = 0; n < words; ++n)
    b_.CreateStore(call.getArgOperand(kWgmmaScalars + n), b_.CreateConstGEP1_64(i32, memory, n));
  Value* d = b_.CreateConstGEP1_64(i32, memory, first);
  t_.invoke(Service::wgmma_sync, {t_.thread, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                                  call.getArgOperand(3), memory, d, t_.site(call)});
  Value* fields = PoisonValue::get(result);
  for (unsigned n = 0; n < outputs; ++n)
    fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, d, n)), n);
  return fields;
}

// The registers in memory, of a load or of a store.
Value* ThreadTensors::tensor_move(CallInst& call) {
  Type* i32 = b_.getInt32Ty();
  auto* result = cast<StructType>(call.getType());
  const unsigned inputs = call.arg_size() - kTensorMoveScalars, outputs = result->getNumElements();
  Value* memory = t_.words(std::max(1u, std::max(inputs, outputs)));
  for (unsigned n = 0; n < inputs; ++n)
    b_.CreateStore(call.getArgOperand(kTensorMoveScalars + n), b_.CreateConstGEP1_64(i32, memory, n));
  Value* words = inputs + outputs == 0 ? static_cast<Value*>(ConstantPointerNull::get(b_.getPtrTy())) : memory;
  t_.invoke(Service::tensor_move,
            {t_.thread, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), words, t_.site(call)});
  Value* fields = PoisonValue::get(result);
  for (unsigned n = 0; n < outputs; ++n)
    fields = b_.CreateInsertValue(fields, b_.CreateLoad(i32, b_.CreateConstGEP1_64(i32, memory, n)), n);
  return fields;
}

// What a thread asks of the tensor cores: its words in memory.
Value* ThreadTensors::tensor_op(CallInst& call, TensorOp what) {
  if (!tensor_words_) {
    IRBuilder<> at(t_.entry);
    tensor_words_ = at.CreateAlloca(ArrayType::get(b_.getInt64Ty(), kMostTensorWords));
  }
  for (unsigned n = 0; n < call.arg_size(); ++n)
    b_.CreateStore(call.getArgOperand(n), b_.CreateConstGEP1_64(b_.getInt64Ty(), tensor_words_, n));
  return t_.invoke(Service::tensor_op,
                   {t_.thread, b_.getInt32(static_cast<uint32_t>(what)), tensor_words_, t_.site(call)});
}

}  // namespace warpwise::simt
