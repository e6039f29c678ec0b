#include "cli/support/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace warpwise::cli {

Result<std::optional<ChildEnd>> fork_child(CaughtSignals& signals) {
  std::fflush(stdout);
  std::fflush(stderr);
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
    const CaughtSignals::Arrived arrived = signals.next();
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
  CaughtSignals signals;
  TRY(CaughtSignals::begin(signals));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  auto forked = fork_child(signals);
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
