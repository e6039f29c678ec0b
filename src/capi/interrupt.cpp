#include "capi/interrupt.h"

namespace warpwise::capi {
namespace {

// Signals are the process's, and a handler is given nothing else.
std::atomic<std::atomic<bool>*> to_stop{nullptr};
struct sigaction hosts_action;

void stop_and_pass_on(int signal, siginfo_t* info, void* context) {
  if (std::atomic<bool>* stop = to_stop.load()) stop->store(true);
  if (hosts_action.sa_flags & SA_SIGINFO)
    hosts_action.sa_sigaction(signal, info, context);
  else
    hosts_action.sa_handler(signal);
}

bool has_handler(const struct sigaction& action) {
  return action.sa_flags & SA_SIGINFO || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

InterruptScope::InterruptScope(std::atomic<bool>& stop) {
  stop.store(false);
  struct sigaction present{};
  if (sigaction(SIGINT, nullptr, &present) != 0 || !has_handler(present)) return;
  hosts_action = present;
  to_stop.store(&stop);
  struct sigaction ours = present;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = &stop_and_pass_on;
  installed_ = sigaction(SIGINT, &ours, nullptr) == 0;
}

InterruptScope::~InterruptScope() {
  if (!installed_) return;
  // A handler that the host has set meanwhile stays.
  struct sigaction present{};
  sigaction(SIGINT, nullptr, &present);
  if (present.sa_flags & SA_SIGINFO && present.sa_sigaction == &stop_and_pass_on)
    sigaction(SIGINT, &hosts_action, nullptr);
  to_stop.store(nullptr);
}

}  // namespace warpwise::capi
