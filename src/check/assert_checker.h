// What kernels say themselves is wrong: a failed assert() and __trap(), C07.. of base/rules.inc. Both end the kernel,
// so there is one for each launch. The host gets an error, as from any kernel that fails. It is reported here because a
// program may see that error and go on as if nothing were the matter.
#pragma once

#include "base/finding.h"
#include "exec/observer.h"

namespace warpwise::check {

class AssertChecker : public exec::ObserverClient, public exec::FaultObserver {
 public:
  explicit AssertChecker(FindingSink& sink) : sink_(sink) {}

  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  FindingSink& sink_;
};

}  // namespace warpwise::check
