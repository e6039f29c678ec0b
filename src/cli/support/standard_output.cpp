#include "cli/support/standard_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpwise::cli {
namespace {

// A handler, where SIG_IGN would be inherited by the programs that are started.
void ignore_signal(int) {}

bool reader_has_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

}  // namespace

void prepare_standard_output() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      // The lowest free number is this one: the numbers below are open by now. Output opens for reading, input for
      // writing, so that using it fails.
      (void)!open("/dev/null", (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    }
  struct sigaction before{};
  if (sigaction(SIGPIPE, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
    struct sigaction handler{};
    handler.sa_handler = ignore_signal;
    handler.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &handler, nullptr);
  }
}

OutputEnd finish_standard_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  int reason = flushed ? 0 : errno;
  if (flushed && !std::ferror(stdout)) return {};
  if (reason == EPIPE || reader_has_gone()) return {.error = std::nullopt, .reader_gone = true};
  // An earlier write failed, and its reason is gone: another try has the same one.
  if (reason == 0 && write(STDOUT_FILENO, "\n", 1) < 0) reason = errno;
  return {.error = Error{"U0002", fmt::format("cannot write to standard output{}{}", reason ? ": " : "",
                                              reason ? std::strerror(reason) : "")}};
}

void die_of_closed_pipe() {
  signal(SIGPIPE, SIG_DFL);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_UNBLOCK, &pipe, nullptr);
  raise(SIGPIPE);
  constexpr int kSignalled = 128;
  std::_Exit(kSignalled + SIGPIPE);
}

}  // namespace warpwise::cli
