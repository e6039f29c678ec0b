// ^C during a call. Hosts such as Python have a handler of their own, which notes the signal and acts when the call has
// returned. A kernel that never ends would never return, so for the time of a call the signal also ends kernels.
#pragma once

#include <signal.h>

#include <atomic>

namespace warpwise::capi {

// Until the end of its scope a SIGINT sets `stop`, and then reaches the host's handler. Without such a handler nothing
// is changed: the engine has its own answer (exec/queue/interrupt.h). One at a time.
class InterruptScope {
 public:
  explicit InterruptScope(std::atomic<bool>& stop);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

 private:
  bool installed_ = false;
};

}  // namespace warpwise::capi
