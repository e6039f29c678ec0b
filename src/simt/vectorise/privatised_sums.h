// Sums that happen later (simt/scalar/privatise_sums.h): into the host thread's counters where the window covers every
// active lane, by locked additions where it does not.
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class PrivatisedSumEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // `at_once` emits the locked additions.
  void emit(llvm::AtomicRMWInst& rmw, Value* addresses, const std::function<void()>& at_once);
  // Adds what the counters hold to memory (Dialect::FlushSums).
  void emit_flush(llvm::CallInst& call);
};

}  // namespace warpwise::simt
