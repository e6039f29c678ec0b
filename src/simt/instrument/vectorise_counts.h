// Counting: the marks of counts.h become additions to cells. A mark stands for all lanes that are active there, so what
// a block or a guard counts is a matter of masks; what an access costs depends on its addresses.
#pragma once

#include "simt/instrument/counts.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class CountEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // A mark: Dialect::CountBlock, CountGuard, CountAccess or CountValue.
  void emit(llvm::CallInst& call, Dialect which);

 private:
  void emit_step(llvm::CallInst& call, Dialect which);
  void emit_short(llvm::CallInst& call, Dialect which);
  void report(Value* cell, Value* what, Value* lanes);
  void add_to(uint32_t cell, unsigned word, Value* amount);
  void mark(const char* name, llvm::ArrayRef<Value*> arguments);
  Value* active_lanes(Value* mask);  // i64
};

}  // namespace warpwise::simt
