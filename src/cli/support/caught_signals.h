// The signals of this process, caught while a child runs.
#pragma once

#include <signal.h>

#include <array>

#include "base/result.h"

namespace warpwise::cli {

// What would end this process, and the end of a child, come through a pipe: whichever thread a signal interrupts writes
// it there. (Blocked signals that one thread waits for do not do: a driver's threads do not block them, and what such a
// thread is sent is lost.) While one lives, no signal but SIGKILL ends this process. Not two at once.
class CaughtSignals {
 public:
  struct Arrived {
    int signal, code;  // of siginfo_t
  };

  // T0001: no pipe could be made.
  static Result<void> begin(CaughtSignals& signals);
  CaughtSignals() = default;
  ~CaughtSignals();
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;

  // Around a fork: what comes meanwhile is for the child as it will be.
  void hold();
  void release() const;
  // Restores what they did before; in the child as well, before it becomes another program.
  void undo() const;
  // Waits for the next one.
  Arrived next() const;

 private:
  static constexpr std::array kCaught = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};
  int ends_[2] = {-1, -1};
  sigset_t mask_ = {};
  std::array<struct sigaction, kCaught.size()> before_ = {};
};

}  // namespace warpwise::cli
