#include "toolchain/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "base/usable_processors.h"

extern char** environ;

namespace warpwise::toolchain {
namespace {

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

// Blocks the signals that end a program and makes them readable from a file, for as long as it lives. No
// handler, hence no global state.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held = ending_signals();
    pthread_sigmask(SIG_BLOCK, &held, &before_);
    fd_ = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~HeldSignals() {
    close(fd_);
    if (!interrupted_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldSignals(const HeldSignals&) = delete;

  int fd() const { return fd_; }
  const sigset_t& before() const { return before_; }

  // Whether a signal has come. It is raised again and stays blocked: die_of_interrupt lets it through.
  bool interrupted() {
    signalfd_siginfo info;
    if (read(fd_, &info, sizeof info) != sizeof info) return false;
    interrupted_ = true;
    raise(static_cast<int>(info.ssi_signo));
    return true;
  }

 private:
  sigset_t before_;
  int fd_;
  bool interrupted_ = false;
};

struct Running {
  size_t index;
  pid_t pid;
  int output;  // read end of its pipe; its end of file says that the job and its children are done
};

Result<Running> start(const Job& job, size_t index, const sigset_t& signals) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Error{"T0001", fmt::format("cannot make a pipe: {}", std::strerror(errno))};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &signals);
  std::vector<char*> argv;
  for (const std::string& word : job.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  int error = posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return Error{"T0001", fmt::format("cannot start `{}`: {}", job.command[0], std::strerror(error))};
  }
  return Running{index, pid, ends[0]};
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<std::vector<JobResult>> run_all_by(const JobRunner& runner, const std::vector<Job>& jobs) {
  std::vector<std::optional<Result<JobResult>>> ends(jobs.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < jobs.size(); ++i) threads.emplace_back([&, i] { ends[i].emplace(runner(jobs[i])); });
  if (!jobs.empty()) ends[0].emplace(runner(jobs[0]));
  for (std::thread& thread : threads) thread.join();
  std::vector<JobResult> results;
  for (auto& end : ends) results.push_back(TRY(std::move(*end)));
  return results;
}

}  // namespace

Result<std::vector<JobResult>> run_jobs(const std::vector<Job>& jobs, const RunOptions& options) {
  if (options.runner) return run_all_by(options.runner, jobs);
  std::vector<JobResult> results(jobs.size());
  std::vector<Running> running;
  HeldSignals signals;
  size_t next = 0;
  size_t at_once = options.at_once ? options.at_once : std::max(2u, usable_processors());
  auto begun = std::chrono::steady_clock::now();
  struct Moment {
    std::chrono::milliseconds after;
    const std::function<void()>& tell;
  };
  std::vector<Moment> moments;
  if (options.on_slow) moments.push_back({std::chrono::milliseconds(500), options.on_slow});
  if (options.on_very_slow) moments.push_back({options.very_slow, options.on_very_slow});
  size_t told = 0;

  auto end_all = [&] {
    for (const Running& job : running) kill(job.pid, SIGTERM);
    for (const Running& job : running) {
      close(job.output);
      wait_for(job.pid);
    }
    running.clear();
  };

  while (next < jobs.size() || !running.empty()) {
    while (next < jobs.size() && running.size() < at_once) {
      auto job = start(jobs[next], next, signals.before());
      if (!job) {
        end_all();
        return job.error();
      }
      running.push_back(*job);
      ++next;
    }

    std::vector<pollfd> watched{{signals.fd(), POLLIN, 0}};
    for (const Running& job : running) watched.push_back({job.output, POLLIN, 0});
    int timeout = -1;
    if (told < moments.size()) {
      auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
      timeout = std::max<int>(0, static_cast<int>((moments[told].after - passed).count()));
    }
    int ready = poll(watched.data(), watched.size(), timeout);
    if (ready == 0 && told < moments.size()) moments[told++].tell();
    if (ready <= 0) continue;

    if (watched[0].revents && signals.interrupted()) {
      end_all();
      return Error{"T0009", "interrupted"};
    }
    std::vector<Running> still;
    for (size_t i = 0; i < running.size(); ++i) {
      char buffer[1 << 14];
      ssize_t got = watched[i + 1].revents ? read(running[i].output, buffer, sizeof buffer) : 1;
      if (watched[i + 1].revents && got > 0) results[running[i].index].output.append(buffer, got);
      if (got > 0 || (got < 0 && errno == EINTR)) {
        still.push_back(running[i]);
        continue;
      }
      close(running[i].output);
      results[running[i].index].exit_code = wait_for(running[i].pid);
    }
    running = std::move(still);
  }
  return results;
}

void die_of_interrupt() {
  sigset_t signals = ending_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

std::string shell_quoted(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    bool plain = !word.empty() && word.find_first_not_of(
                                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_-+=./,:@%") == word.npos;
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace warpwise::toolchain
