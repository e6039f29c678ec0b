// Calls of the engine (simt/services.inc) from the code of a warp: once, or once for each active lane.
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class ServiceEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // A function of the dialect that a service does.
  void emit_served(llvm::CallInst& call, const ServedBy& served);
  void emit_stack_check(llvm::CallInst& call);
  void emit_image(llvm::CallInst& call);

 private:
  void emit_lane_service(llvm::CallInst& call, const ServedBy& served);
  void emit_first_lane_service(llvm::CallInst& call, const ServedBy& served);
  void emit_pure_service(llvm::CallInst& call, const ServedBy& served);
  // The value of a service's parameter that the compiler fills in; `lane` where it is called for each lane.
  Value* value_of(Role role, llvm::CallInst& call, Value* lane = nullptr);

  // What image accesses pass and get, each used by one call at a time.
  llvm::AllocaInst *image_handles_ = nullptr, *image_words_ = nullptr, *image_results_ = nullptr;
};

}  // namespace warpwise::simt
