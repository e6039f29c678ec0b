// The value of an expression in one thread of the block, when it depends on threadIdx and constants alone.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

class ThreadValues {
 public:
  ThreadValues(const llvm::Function& function, const BlockShape& block, uint32_t thread);
  // Null when it depends on anything else.
  llvm::Constant* of(llvm::Value* value) { return of(value, 0); }

 private:
  llvm::Constant* of(llvm::Value* value, unsigned depth);
  llvm::Constant* evaluate(llvm::Instruction& instruction, unsigned depth);

  const llvm::DataLayout& layout_;
  const BlockShape& block_;
  uint32_t thread_;
  llvm::DenseMap<llvm::Instruction*, llvm::Constant*> known_;
};

}  // namespace warpwise::simt
