// What instrumentation has inserted into the program of a thread becomes code of the warp here. One interface for the
// vectoriser; each client has a file: vectorise_events, vectorise_shadow_checks, vectorise_race_checks,
// vectorise_counts.
#pragma once

#include "simt/instrument/vectorise_checks.h"
#include "simt/instrument/vectorise_counts.h"

namespace warpwise::simt {

class InstrumentEmitter {
 public:
  InstrumentEmitter(WarpBuilder& w, MemoryEmitter& memory)
      : w_(w),
        addresses_(w, memory),
        events_(w),
        counts_(w),
        checks_{memory, addresses_, events_, w.options.compact && has_many_shadow_checks(w.kernel)} {}
  // Emits a call that instrumentation has inserted. False: it is none.
  bool emit(llvm::CallInst& call, Dialect which);

 private:
  static bool has_many_shadow_checks(const llvm::Function& kernel);

  WarpBuilder& w_;
  CheckedAddresses addresses_;
  EventEmitter events_;
  CountEmitter counts_;
  CheckEmitters checks_;
};

}  // namespace warpwise::simt
