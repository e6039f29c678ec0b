// What only the PTX instruction tells, for code that is watched: which copies are asynchronous and what waits for them
// (kWatchOrder), where functions end (kWatchInitialisation), accesses to parameters (kWatchAddresses), and arithmetic
// that has no result (kWatchNumbers; of signed overflow the front end tells, ptx/signed_overflow.h). Everything else is
// seen in the scalar program (instrument/insert_checks.h).
#pragma once

#include <vector>

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

class InstructionWatch {
 public:
  // Before the instruction is lowered; afterwards its operands may be overwritten.
  InstructionWatch(Emit& e, uint32_t watch);
  // Behind it.
  void finish();

 private:
  void watch_parameter();
  void tell(Value condition, uint8_t what);

  Emit& e_;
  std::vector<Value> operands_;  // numbers from which a NaN would be made
};

// Where a handler of signed overflow is called; one without a second operand passes 0.
void tell_signed_overflow(Emit& e, Value left, Value right);

}  // namespace warpwise::simt
