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

namespace warpwise::cli {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// The signals to pass on are blocked and waited for, and so is the end of the child.
class WaitingSignals {
 public:
  WaitingSignals() {
    sigemptyset(&held_);
    for (int signal : kPassedOn) sigaddset(&held_, signal);
    sigaddset(&held_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &held_, &before_);
  }
  ~WaitingSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  WaitingSignals(const WaitingSignals&) = delete;
  WaitingSignals& operator=(const WaitingSignals&) = delete;

  void undo_in_child() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  siginfo_t next() const {
    siginfo_t info{};
    while (sigwaitinfo(&held_, &info) < 0 && errno == EINTR) {
    }
    return info;
  }

 private:
  sigset_t held_, before_;
};

}  // namespace

Result<ChildEnd> run_child(const std::function<int()>& become) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  std::fflush(stdout);
  std::fflush(stderr);
  WaitingSignals signals;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) {
    int reason = errno;
    close(ends[0]), close(ends[1]);
    return Error{"T0001", fmt::format("cannot start a process: {}", std::strerror(reason))};
  }
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // the parent had ended before the prctl
    signals.undo_in_child();
    int reason = become();
    // The pipe closes by itself when the program has started; otherwise it carries the reason.
    (void)!write(ends[1], &reason, sizeof reason);
    _exit(127);
  }
  close(ends[1]);
  ChildEnd end;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    siginfo_t info = signals.next();
    // The terminal sends its signals to all processes in the foreground, so the child gets them, too.
    bool from_terminal = info.si_code == SI_KERNEL;
    if (info.si_signo != SIGCHLD && !from_terminal) kill(child, info.si_signo);
  }
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exit_code = WEXITSTATUS(status);
  if (read(ends[0], &end.start_failure, sizeof end.start_failure) != sizeof end.start_failure) end.start_failure = 0;
  close(ends[0]);
  return end;
}

}  // namespace warpwise::cli
