#include "exec/queue/interrupt.h"

#include <signal.h>

#include <atomic>
#include <mutex>

namespace warpwise::exec {
namespace {

// Signals are the process's; these serve whichever launch is watching.
std::mutex watch_mutex;
int watchers = 0;
std::atomic<bool> seen{false};

void set_action(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

void note_interrupt(int) {
  // The second ^C does not wait for the kernel.
  if (seen.exchange(true)) {
    set_action(SIG_DFL);
    raise(SIGINT);
  }
}

}  // namespace

void InterruptWatch::arm() {
  std::lock_guard lock(watch_mutex);
  if (armed_) return;
  struct sigaction now{};
  sigaction(SIGINT, nullptr, &now);
  bool ours = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == &note_interrupt;
  bool standard = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
  if (!ours && !standard) return;
  armed_ = true;
  if (watchers++ == 0) {
    seen = false;
    set_action(&note_interrupt);
  }
}

bool InterruptWatch::interrupted() const { return armed_ && seen.load(std::memory_order_relaxed); }

void InterruptWatch::conclude() {
  bool raise_now = interrupted();
  {
    std::lock_guard lock(watch_mutex);
    if (!armed_) return;
    armed_ = false;
    if (--watchers == 0) set_action(SIG_DFL);
  }
  if (raise_now) raise(SIGINT);
}

InterruptWatch::~InterruptWatch() { conclude(); }

}  // namespace warpwise::exec
