// Events of a warp (events.h): one call of ww.report for the lanes that have one (expand_events.h).
#pragma once

#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class EventEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;
  // A call of ww.event.
  void emit(llvm::CallInst& call);
  // `lanes`, `what` and `site`: i32; the others are vectors of i64.
  void report(Value* lanes, Value* what, Value* addresses, Value* values, Value* site);
};

}  // namespace warpwise::simt
