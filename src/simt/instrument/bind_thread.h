// What instrumentation has inserted into the program of a thread becomes calls of services here, in independent-thread
// mode: the other side of instrument/vectorise.h.
#pragma once

#include "simt/thread/thread_builder.h"

namespace warpwise::simt {

class ThreadInstrument {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;
  explicit ThreadInstrument(ThreadBuilder& t) : t_(t), b_(t.b) {}
  // Emits a call that instrumentation has inserted. False: it is none.
  bool emit(llvm::CallInst& call, Dialect which);

 private:
  void event(llvm::CallInst& call);
  void call_event(llvm::CallInst& call, uint32_t what, Value* address, Value* value, Value* of = nullptr);
  void leave_check_to_service(llvm::CallInst& call);
  llvm::Value* shadow_of(llvm::Value* address, unsigned space);
  void load_shadow(llvm::CallInst& call);
  void store_shadow(llvm::CallInst& call);
  void leave_race_to_service(llvm::CallInst& call);
  Value* generic(Value* address, unsigned space);
  void count(uint32_t mark, Value* cell, Value* what, Value* value);

  ThreadBuilder& t_;
  llvm::IRBuilder<>& b_;
  Value *event_address_ = nullptr, *event_value_ = nullptr;
};

}  // namespace warpwise::simt
