// Expands counts (counts.h): additions to cells become loads and stores, accesses whose addresses are needed become
// calls of Services::count_access.
//
// Until here both are calls without effect on the program's memory, and regions are cut, interleaved and unrolled as if
// nothing were counted. Scoped aliases keep the loads and stores of cells apart from all other memory: LLVM then keeps
// the cells of a loop in registers, and adds once for several additions in a row.
//
// In the quick tier the loads and stores were half of the code of a kernel with many basic blocks. There a block or a
// guard is one call of a function that this pass makes, with all its additions.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "simt/instrument/counts.h"

namespace warpwise::simt {

inline bool is_counted_add(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kCountedAdd;
}
inline bool is_counted_warp(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kCountedWarp;
}
inline bool is_counted_access(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kCountedAccess;
}
inline bool is_counted_block(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kCountedBlock;
}
inline bool is_counted_guard(const llvm::CallInst& call) {
  return call.getCalledFunction() && call.getCalledFunction()->getName() == kCountedGuard;
}
inline bool is_short_count(const llvm::CallInst& call) { return is_counted_block(call) || is_counted_guard(call); }
inline bool is_counted(const llvm::CallInst& call) {
  return is_counted_add(call) || is_counted_warp(call) || is_counted_access(call) || is_short_count(call);
}

// `function` runs a whole block; its first argument is the BlockContext.
void expand_counts(llvm::Function& function);

}  // namespace warpwise::simt
