// Matrices of a warp whose threads run one by one: each thread passes its registers, and the engine lets them arrive
// (PTX ISA 9.7.15: mma, ldmatrix, stmatrix, movmatrix).
#pragma once

#include "simt/thread/thread_builder.h"

namespace warpwise::simt {

class ThreadMatrices {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  explicit ThreadMatrices(ThreadBuilder& t) : t_(t), b_(t.b) {}

  Value* product(llvm::CallInst& call);
  Value* load_matrix(llvm::CallInst& call, Value* lane);
  void store_matrix(llvm::CallInst& call, Value* lane);
  Value* move_matrix(llvm::CallInst& call, Value* lane);

 private:
  Value* words_in_memory(llvm::ArrayRef<Value*> words);
  Value* gather(llvm::ArrayRef<Value*> words, llvm::CallInst& call);
  Value* gathered(Value* table, Value* index);
  Value* matrix_element(Value* table, unsigned j, unsigned half, bool transposed, Value* lane);
  Value* address_table(llvm::CallInst& call);

  ThreadBuilder& t_;
  llvm::IRBuilder<>& b_;
};

}  // namespace warpwise::simt
