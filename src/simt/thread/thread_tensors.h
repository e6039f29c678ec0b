// What a thread asks of asynchronous tensor cores and of tensor memory (wgmma, tcgen05): its registers travel in
// memory.
#pragma once

#include "simt/abi.h"
#include "simt/thread/thread_builder.h"

namespace warpwise::simt {

class ThreadTensors {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  explicit ThreadTensors(ThreadBuilder& t) : t_(t), b_(t.b) {}

  Value* wgmma(llvm::CallInst& call);
  Value* tensor_move(llvm::CallInst& call);
  Value* tensor_op(llvm::CallInst& call, TensorOp what);

 private:
  ThreadBuilder& t_;
  llvm::IRBuilder<>& b_;
  Value* tensor_words_ = nullptr;
};

}  // namespace warpwise::simt
