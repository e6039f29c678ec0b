// Host code that reads or writes device memory: R0301 of base/rules.inc.
//
//     float* x;  cudaMalloc(&x, size);  x[0] = 1;   // a fault, on a real machine too
//
// The CPU faults there, and the program dies by a signal. Before that this checker reports which allocation it was and
// where the host's code stands. The engine's signal handler (exec/fault/guard.h) calls it, instead of explaining the
// fault itself.
#pragma once

#include "base/finding.h"
#include "exec/observer.h"

namespace warpwise::check {

class HostPointerChecker : public exec::ObserverClient {
 public:
  explicit HostPointerChecker(FindingSink& sink) : sink_(sink) {}
  ~HostPointerChecker() override;

  void begin(exec::Arena& arena) override;

 private:
  static void take_fault(uint64_t address, bool writes, uint64_t pc);
  void report(device::Address address, bool writes, uint64_t pc) const;

  FindingSink& sink_;
  const exec::Arena* arena_ = nullptr;
};

}  // namespace warpwise::check
