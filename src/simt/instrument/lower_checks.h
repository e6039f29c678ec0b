// Checks that need the PTX instruction: which copies are asynchronous and what waits for them (kWatchOrder), where
// functions end (kWatchInitialisation), accesses to parameters (kWatchAddresses), and arithmetic without a result
// (kWatchNumbers; the front end finds signed overflow, ptx/signed_overflow.h). All other checks are inserted into the
// scalar program (instrument/insert_checks.h).
#pragma once

#include <vector>

#include "simt/instrument/events.h"
#include "simt/lower/support/emit.h"

namespace warpwise::simt {

class InstructionChecks {
 public:
  // Before the instruction is lowered; afterwards its operands may be overwritten.
  InstructionChecks(Emit& e, uint32_t watch);
  // Behind it.
  void finish();

 private:
  void check_parameter();
  void report_fault(Value condition, event::Arithmetic::Fault fault);

  Emit& e_;
  std::vector<Value> operands_;  // numbers from which a NaN would be made
};

// Where a handler of signed overflow is called; one without a second operand passes 0.
void report_signed_overflow(Emit& e, Value left, Value right);

}  // namespace warpwise::simt
