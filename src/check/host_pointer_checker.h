// Host code that reads or writes device memory: R0301 of base/rules.inc.
//
//     float* x;  cudaMalloc(&x, size);  x[0] = 1;   // a fault, on a real machine too
//
// The CPU faults there, and the program dies by a signal. Before that this checker reports which allocation it was and
// where the host's code stands. The engine's own handler (exec/fault/guard.h) comes first: it takes what kernels do,
// and opens pages that were closed for a while. It hands on the rest to the handler that it found installed, which is
// this one: a device calls begin() before it installs its own.
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
  friend struct HostFaultHandler;
  void report(device::Address address, bool writes, uint64_t pc) const;

  FindingSink& sink_;
  const exec::Arena* arena_ = nullptr;
};

}  // namespace warpwise::check
