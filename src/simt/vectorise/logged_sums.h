// Sums of floats that are added to memory in the order of blocks (simt/scalar/log_sums.h): the code writes them to the
// host thread's log where its window covers every active lane and there is room, and asks the engine where not.
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class LoggedSumEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // `address`: of lane 0, as the engine sees it, where all lanes add there. Else null, and `addresses` has each lane's.
  // `at_once` emits the additions themselves.
  void emit(llvm::AtomicRMWInst& rmw, Value* address, Value* addresses, const std::function<void()>& at_once);

 private:
  Value* any_outside(llvm::AtomicRMWInst& rmw, Value* address, Value* addresses);
  void emit_entries(Value* addresses, Value* operands);
};

}  // namespace warpwise::simt
