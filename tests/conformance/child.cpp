#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
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

[[noreturn]] void become(const std::vector<std::string>& command, const std::filesystem::path& folder, int output,
                         const std::vector<std::pair<std::string, std::string>>& environment) {
  setpgid(0, 0);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  int input = open("/dev/null", O_RDONLY);
  bool ready = input >= 0 && dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(output, 2) >= 0 && chdir(folder.c_str()) == 0;
  if (ready) {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
  }
  perror(command[0].c_str());
  _exit(127);
}

double seconds(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::filesystem::path& folder, double time_limit,
                      const std::vector<std::pair<std::string, std::string>>& environment) {
  ChildResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  auto begun = Clock::now();
  pid_t pid = fork();
  if (pid == 0) become(command, folder, ends[1], environment);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return result;
  }
  setpgid(pid, pid);
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
