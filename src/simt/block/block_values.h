// Reading the BlockContext: what the dialect's Block functions and the windows of shared, local and
// parameter memory are in machine code. Both modes use it.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/lane_shapes.h"

namespace warpwise::simt {

// A field of the context; it does not change while a block runs.
llvm::Value* load_block_field(llvm::IRBuilder<>& b, llvm::Value* block, unsigned offset, llvm::Type* type,
                              const char* name);

// The value of a dialect function of class Block.
llvm::Value* load_block_value(llvm::IRBuilder<>& b, llvm::Value* block, Dialect which, const BlockShape& shape);

// The window that IsShared, IsLocal or IsParam asks about: first generic address, size in bytes.
llvm::Value* load_window_base(llvm::IRBuilder<>& b, llvm::Value* block, Dialect which);
llvm::Value* load_window_size(llvm::IRBuilder<>& b, llvm::Value* block, Dialect which);

}  // namespace warpwise::simt
