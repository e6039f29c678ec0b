#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>

namespace warpwise::conformance {
namespace {

using Clock = std::chrono::steady_clock;

// The first and the last part of an endless text.
class BoundedText {
 public:
  void add(std::string_view text) {
    size_t room = kPart - std::min(kPart, head_.size());
    head_ += text.substr(0, room);
    tail_ += text.substr(std::min(room, text.size()));
    if (tail_.size() > 2 * kPart) {
      tail_.erase(0, tail_.size() - kPart);
      cut_ = true;
    }
  }
  std::string text() const { return cut_ ? head_ + "\n[…]\n" + tail_ : head_ + tail_; }

 private:
  static constexpr size_t kPart = 1 << 20;
  std::string head_, tail_;
  bool cut_ = false;
};

// Several threads begin children, and between fork() and exec() a child of one of several threads must not allocate:
// posix_spawn() does the steps between. Gives 0 and the child, or the errno of what failed.
int spawn(pid_t& child, const std::vector<std::string>& command, const std::filesystem::path& folder, int output,
          const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> settings;
  for (char** setting = environ; *setting; ++setting) {
    auto replaces = [&](const auto& own) { return std::string_view(*setting).starts_with(own.first + "="); };
    if (std::ranges::none_of(environment, replaces)) settings.emplace_back(*setting);
  }
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
  };

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  int failed = posix_spawnp(&child, command[0].c_str(), &actions, &attributes, pointers(command).data(),
                            pointers(settings).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& folder, double time_limit,
                      const std::vector<std::pair<std::string, std::string>>& environment) {
  ChildResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  auto begun = Clock::now();
  pid_t pid = -1;
  int failed = spawn(pid, command, folder, ends[1], environment);
  close(ends[1]);
  if (failed) {
    close(ends[0]);
    result.exit_code = 127;  // as a shell says it
    result.output = command[0] + ": " + std::strerror(failed);
    return result;
  }
  result.started = true;

  // A grandchild in the background may hold the pipe open: the child's end is asked for as well.
  BoundedText output;
  int status = 0;
  rusage usage{};
  auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  bool open = true, running = true;
  auto drain = [&](int wait_ms) {
    pollfd watched{ends[0], POLLIN, 0};
    if (!open || poll(&watched, 1, wait_ms) <= 0) return open;
    char buffer[1 << 16];
    ssize_t got = read(ends[0], buffer, sizeof buffer);
    if (got > 0) output.add({buffer, static_cast<size_t>(got)});
    open = got > 0;
    return open && got > 0;
  };
  while (running) {
    if (!open) usleep(2000);
    drain(20);
    running = wait4(pid, &status, WNOHANG, &usage) == 0;
    if (running && elapsed() > time_limit) {
      result.out_of_time = true;
      kill(-pid, SIGKILL);
      wait4(pid, &status, 0, &usage);
      running = false;
    }
  }
  kill(-pid, SIGKILL);
  for (pollfd rest{ends[0], POLLIN, 0}; open && poll(&rest, 1, 0) > 0;) drain(0);
  close(ends[0]);
  result.elapsed = elapsed();
  result.processor = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.output = output.text();
  return result;
}

}  // namespace warpwise::conformance
