// Atomics of a warp: lane after lane, but for sums whose result is not used.
#pragma once

#include "simt/vectorise/logged_sums.h"
#include "simt/vectorise/memory.h"
#include "simt/vectorise/privatised_sums.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class AtomicEmitter : WarpEmitter {
 public:
  AtomicEmitter(WarpBuilder& w, MemoryEmitter& memory, PrivatisedSumEmitter& sums)
      : WarpEmitter(w), memory_(memory), sums_(sums), logged_sums_(w) {}

  void emit_atomic_rmw(llvm::AtomicRMWInst& rmw);
  void emit_compare_exchange(llvm::AtomicCmpXchgInst& exchange);

 private:
  using Address = MemoryEmitter::Address;
  void emit_atomic_read(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_warp_sum(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_privatised_lanes(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_logged_lanes(llvm::AtomicRMWInst& rmw, const Address& a, bool uniform_address);
  void emit_atomic_lanes(llvm::AtomicRMWInst& rmw, const Address& a, bool uniform_address);
  Value* emit_private_update(llvm::AtomicRMWInst& rmw, Value* pointer, Value* operand);
  Value* emit_lane_update(llvm::AtomicRMWInst& rmw, unsigned space, Value* pointer, Value* operand);

  MemoryEmitter& memory_;
  PrivatisedSumEmitter& sums_;
  LoggedSumEmitter logged_sums_;
};

}  // namespace warpwise::simt
