#include "cli/support/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace warpwise::cli {
namespace {

struct Arrived {
  int signal, code;
};
int write_end = -1;  // of the pipe of CaughtSignals

void note_signal(int signal, siginfo_t* info, void*) {
  const int before = errno;
  const Arrived arrived{signal, info->si_code};
  (void)!write(write_end, &arrived, sizeof arrived);
  errno = before;
}

// The signals to pass on, and the end of the child, come through a pipe: whichever thread a signal interrupts writes it
// there. (Blocked signals that one thread waits for do not do: a driver's threads do not block them, and what such a
// thread is sent is lost.) Not for two threads at once.
class CaughtSignals {
 public:
  static Result<void> begin(CaughtSignals& signals) {
    if (pipe2(signals.ends_, O_CLOEXEC) != 0)
      return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
    fcntl(signals.ends_[1], F_SETFL, O_NONBLOCK);
    write_end = signals.ends_[1];
    struct sigaction caught{};
    caught.sa_sigaction = note_signal;
    caught.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t n = 0; n < std::size(kCaught); ++n) sigaction(kCaught[n], &caught, &signals.before_[n]);
    return {};
  }
  CaughtSignals() = default;
  ~CaughtSignals() {
    if (ends_[0] < 0) return;
    undo();
    close(ends_[0]), close(ends_[1]);
  }
  CaughtSignals(const CaughtSignals&) = delete;
  CaughtSignals& operator=(const CaughtSignals&) = delete;

  // While it forks: what comes meanwhile is for the child as it will be.
  void hold() {
    sigset_t held;
    sigemptyset(&held);
    for (int signal : kCaught) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &mask_);
  }
  void release() const { pthread_sigmask(SIG_SETMASK, &mask_, nullptr); }
  // In the child as well, before it becomes another program.
  void undo() const {
    for (size_t n = 0; n < std::size(kCaught); ++n) sigaction(kCaught[n], &before_[n], nullptr);
  }
  Arrived next() const {
    Arrived arrived{};
    while (read(ends_[0], &arrived, sizeof arrived) < 0 && errno == EINTR) {
    }
    return arrived;
  }

 private:
  static constexpr int kCaught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};
  int ends_[2] = {-1, -1};
  sigset_t mask_ = {};
  struct sigaction before_[std::size(kCaught)] = {};
};

}  // namespace

Result<std::optional<ChildEnd>> fork_child() {
  std::fflush(stdout);
  std::fflush(stderr);
  CaughtSignals signals;
  TRY(CaughtSignals::begin(signals));
  pid_t parent = getpid();
  signals.hold();
  pid_t child = fork();
  if (child < 0) {
    int reason = errno;
    signals.release();
    return Error{"T0001", fmt::format("cannot start a process: {}", std::strerror(reason))};
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // the parent had ended before the prctl
    signals.undo();
    signals.release();
    return std::optional<ChildEnd>();
  }
  signals.release();
  ChildEnd end;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    const Arrived arrived = signals.next();
    // The terminal sends its signals to all processes in the foreground, so the child gets them, too.
    const bool from_terminal = arrived.code == SI_KERNEL;
    if (arrived.signal != SIGCHLD && !from_terminal) kill(child, arrived.signal);
  }
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_code = WEXITSTATUS(status);
  return std::optional(end);
}

Result<ChildEnd> run_child(const std::function<int()>& become) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  auto forked = fork_child();
  if (forked && !*forked) {
    int reason = become();
    // The pipe closes by itself when the program has started; otherwise it carries the reason.
    (void)!write(ends[1], &reason, sizeof reason);
    _exit(127);
  }
  close(ends[1]);
  ChildEnd end;
  if (forked) {
    end = **forked;
    if (read(ends[0], &end.start_failure, sizeof end.start_failure) != sizeof end.start_failure) end.start_failure = 0;
  }
  close(ends[0]);
  if (!forked) return forked.error();
  return end;
}

}  // namespace warpwise::cli
