// Calls of the dialect in the code of a warp: indices, windows of memory and barriers here, the rest by its emitter.
#pragma once

#include "simt/instrument/vectorise.h"
#include "simt/vectorise/collectives.h"
#include "simt/vectorise/memory.h"
#include "simt/vectorise/privatised_sums.h"
#include "simt/vectorise/services.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class DialectEmitter : WarpEmitter {
 public:
  DialectEmitter(WarpBuilder& w, MemoryEmitter& memory, PrivatisedSumEmitter& sums)
      : WarpEmitter(w), sums_(sums), services_(w), collectives_(w, memory), instrument_(w, memory) {}
  void emit(llvm::CallInst& call, Dialect which);

 private:
  void emit_tid(llvm::CallInst& call, unsigned axis);
  void emit_lanemask(llvm::CallInst& call, Dialect which);
  void emit_local_base(llvm::CallInst& call);
  void emit_window_test(llvm::CallInst& call, Dialect which);
  void emit_min_max(llvm::CallInst& call, Dialect which);
  void emit_block_value(llvm::CallInst& call, Dialect which);
  void emit_barrier(llvm::CallInst& call);
  void emit_waiting_barrier_red(llvm::CallInst& call);
  void emit_barrier_red(llvm::CallInst& call);
  void emit_effect(llvm::CallInst& call, Dialect which);

  PrivatisedSumEmitter& sums_;
  ServiceEmitter services_;
  CollectiveEmitter collectives_;
  InstrumentEmitter instrument_;
  llvm::DenseMap<unsigned, Value*> block_values_;  // by Dialect, read once
};

}  // namespace warpwise::simt
