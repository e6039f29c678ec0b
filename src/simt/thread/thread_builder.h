// The program of a thread while it is bound to its ThreadContext (abi.h): what all need that replace calls of the
// dialect.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "simt/service_calls.h"

namespace warpwise::simt {

class ThreadBuilder {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;

  // `thread`: the ThreadContext. The builder stands at the start of the function.
  ThreadBuilder(llvm::Function& function, Value* thread);
  ThreadBuilder(const ThreadBuilder&) = delete;
  ThreadBuilder& operator=(const ThreadBuilder&) = delete;

  llvm::LoadInst* field(unsigned offset, Type* type, const char* name);  // of the ThreadContext
  Value* linear();                                                       // the thread's number in its block
  Value* lane();
  Value* warp();
  Value* own_bit();  // of its lane
  Value* site(const llvm::Instruction& i);
  llvm::CallInst* invoke(Service service, llvm::ArrayRef<Value*> arguments);
  // Where a service leaves its second result, and {first, second != 0}.
  Value* second_result();
  Value* with_second_result(llvm::StructType* type, Value* first);
  // Room for so many words of 32 bits, for the whole call of the function.
  llvm::AllocaInst* words(uint64_t count);

  llvm::Function& function;
  Value* const thread;
  llvm::LLVMContext& context;
  llvm::IRBuilder<> b;
  Value* block = nullptr;              // the BlockContext
  llvm::Instruction* entry = nullptr;  // allocas go before it

 private:
  Value* second_result_ = nullptr;
};

}  // namespace warpwise::simt
