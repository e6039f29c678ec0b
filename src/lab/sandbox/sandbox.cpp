#include "lab/sandbox/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "lab/sandbox/call_filter.h"
#include "lab/sandbox/descriptors.h"
#include "toolchain/installation.h"

extern char** environ;

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

// Beside our libraries where Warpwise is installed, with the programs in a build folder.
fs::path supervisor_program() {
  const toolchain::Installation here = toolchain::Installation::find();
  std::error_code error;
  for (const fs::path& folder : {here.libraries, here.root / "bin"})
    if (fs::exists(folder / "warpwise-confine", error)) return folder / "warpwise-confine";
  return {};
}

// The filter of all commands that this process and its children start; "" where none can be made: the supervisor tells
// the reason.
const std::string& filter_text() {
  static const std::string text = [] {
    auto filter = CallFilter::make();
    return filter ? filter->text() : std::string();
  }();
  return text;
}

std::string read_all(int fd) {
  std::string text;
  char part[16384];
  for (;;) {
    ssize_t n = read(fd, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(part, static_cast<size_t>(n));
  }
}

}  // namespace

Running::Running(Running&& other) noexcept
    : supervisor_(std::exchange(other.supervisor_, -1)),
      life_(std::exchange(other.life_, -1)),
      answer_(std::exchange(other.answer_, -1)),
      series_(other.series_),
      begun_(other.begun_) {}

Running& Running::operator=(Running&& other) noexcept {
  std::swap(supervisor_, other.supervisor_);
  std::swap(life_, other.life_);
  std::swap(answer_, other.answer_);
  std::swap(series_, other.series_);
  std::swap(begun_, other.begun_);
  return *this;
}

Running::~Running() {
  if (life_ >= 0) close(life_);
  if (answer_ >= 0) close(answer_);
  if (supervisor_ > 0)
    while (waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Running::cancel() {
  // Not close(): another thread may be about to use the number.
  if (life_ >= 0) shutdown(life_, SHUT_RDWR);
}

std::string Running::read_line() {
  std::string line;
  for (char c; !line.ends_with('\n');) {
    const ssize_t n = read(answer_, &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    line += c;
  }
  return line;
}

Result<void> Running::start_next(const std::vector<int>& descriptors) {
  // The supervisor says when it has read the job: what comes with descriptors may not follow other bytes.
  if (!std::exchange(begun_, true) && read_line().empty())
    return Error{"S0002", "the supervisor of the sandbox does not answer"};
  if (!send_descriptors(life_, descriptors))
    return Error{"S0002", fmt::format("the supervisor of the sandbox does not answer: {}", std::strerror(errno))};
  return {};
}

Result<Outcome> Running::wait() {
  std::string text = series_ ? read_line() : read_all(answer_);
  if (series_ && !text.empty())
    if (Outcome outcome = TRY(outcome_from_json(text)); outcome.stands) return outcome;
  int status = 0;
  while (waitpid(supervisor_, &status, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
  if (text.empty())
    return Error{"X0001", fmt::format("the supervisor of the sandbox ended without an outcome ({} {})",
                                      WIFSIGNALED(status) ? "signal" : "exit code",
                                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status))};
  Outcome outcome = TRY(outcome_from_json(text));
  if (outcome.end == End::NoSandbox)
    return Error{"S0001", fmt::format("this machine cannot build the sandbox: {}", outcome.what)};
  if (outcome.end == End::NotStarted)
    return Error{"S0002", fmt::format("the sandbox cannot start its command: {}", outcome.what)};
  return outcome;
}

Result<Running> start(const Job& job) {
  fs::path program = supervisor_program();
  if (program.empty()) return Error{"T0004", "warpwise-confine is missing: it belongs beside libwarpwise"};
  // The life line is a socket and not a pipe, since that can be shut down without closing it.
  int life[2] = {-1, -1}, answer[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, life) != 0 || pipe2(answer, O_CLOEXEC) != 0) {
    int reason = errno;
    for (int fd : {life[0], life[1]})
      if (fd >= 0) close(fd);
    return Error{"S0002", fmt::format("the sandbox cannot start its command: {}", std::strerror(reason))};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, life[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answer[1], STDOUT_FILENO);
  if (!job.series)
    for (int fd : job.descriptors) posix_spawn_file_actions_adddup2(&actions, fd, fd);  // to itself: no close-on-exec
  // The caller handles the signals of its terminal, and decides when the command ends.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::string path = program.string();
  char* words[] = {path.data(), nullptr};
  pid_t supervisor = -1;
  int failed = posix_spawn(&supervisor, path.c_str(), &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(life[1]);
  close(answer[1]);
  if (failed) {
    close(life[0]);
    close(answer[0]);
    return Error{"S0002", fmt::format("{}: {}", path, std::strerror(failed))};
  }
  Running running(supervisor, life[0], answer[0], job.series);
  Job complete = job;
  if (job.filter.empty() && job.isolation != Isolation::None) complete.filter = filter_text();
  std::string text = to_json(complete) + "\n";
  for (size_t sent = 0; sent < text.size();) {
    ssize_t n = send(life[0], text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      return Error{"S0002", fmt::format("the supervisor of the sandbox does not answer: {}", std::strerror(errno))};
    sent += static_cast<size_t>(n);
  }
  return running;
}

Result<Outcome> run(const Job& job) {
  Running running = TRY(start(job));
  return running.wait();
}

Result<std::string> read_product(const std::string& folder, const std::string& name, size_t most) {
  auto refuse = [&](std::string_view why) { return Error{"U0001", fmt::format("{}/{}: {}", folder, name, why)}; };
  if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..")
    return refuse("not the name of a file");
  int at = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (at < 0) return refuse(std::strerror(errno));
  int fd =
      openat(at, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);  // a pipe must not block this process
  int reason = errno;
  close(at);
  if (fd < 0) return refuse(std::strerror(reason));
  struct stat info{};
  std::string text;
  bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  if (regular && static_cast<uint64_t>(info.st_size) <= most) text = read_all(fd);
  close(fd);
  if (!regular) return refuse("not a regular file");
  if (static_cast<uint64_t>(info.st_size) > most) return refuse("too large");
  return text;
}

}  // namespace warpwise::lab::sandbox
