#include "cli/support/caught_signals.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warpwise::cli {
namespace {

int write_end = -1;  // of the pipe of CaughtSignals

void note_signal(int signal, siginfo_t* info, void*) {
  const int before = errno;
  const CaughtSignals::Arrived arrived{signal, info->si_code};
  (void)!write(write_end, &arrived, sizeof arrived);
  errno = before;
}

}  // namespace

Result<void> CaughtSignals::begin(CaughtSignals& signals) {
  if (pipe2(signals.ends_, O_CLOEXEC) != 0)
    return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  fcntl(signals.ends_[1], F_SETFL, O_NONBLOCK);
  write_end = signals.ends_[1];
  struct sigaction caught{};
  caught.sa_sigaction = note_signal;
  caught.sa_flags = SA_SIGINFO | SA_RESTART;
  for (size_t n = 0; n < kCaught.size(); ++n) sigaction(kCaught[n], &caught, &signals.before_[n]);
  return {};
}

CaughtSignals::~CaughtSignals() {
  if (ends_[0] < 0) return;
  undo();
  close(ends_[0]), close(ends_[1]);
}

void CaughtSignals::hold() {
  sigset_t held;
  sigemptyset(&held);
  for (int signal : kCaught) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &mask_);
}

void CaughtSignals::release() const { pthread_sigmask(SIG_SETMASK, &mask_, nullptr); }

void CaughtSignals::undo() const {
  for (size_t n = 0; n < kCaught.size(); ++n) sigaction(kCaught[n], &before_[n], nullptr);
}

CaughtSignals::Arrived CaughtSignals::next() const {
  Arrived arrived{};
  while (read(ends_[0], &arrived, sizeof arrived) < 0 && errno == EINTR) {
  }
  return arrived;
}

}  // namespace warpwise::cli
