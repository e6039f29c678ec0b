#include "serve/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <cstring>

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Code = boost::system::error_code;

Error cannot_start(int reason) { return {"T0001", fmt::format("cannot start a process: {}", std::strerror(reason))}; }

[[noreturn]] void become(const std::vector<std::string>& command, const WorkerFolders& folders, int output, int errors,
                         pid_t server) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || chdir(folders.current.c_str()) != 0) _exit(127);
  setenv("TMPDIR", folders.temporary.c_str(), 1);
  dup2(nothing, STDIN_FILENO), dup2(output, STDOUT_FILENO), dup2(errors, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

// Both ends of a pipe, closed unless they are taken.
struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool is_there() const { return ends[0] >= 0; }
  int take_reader() { return std::exchange(ends[0], -1); }

  int ends[2];
};

class WorkerProcess : public Worker, public std::enable_shared_from_this<WorkerProcess> {
 public:
  WorkerProcess(asio::io_context& context, int output, int errors, int ended, pid_t child, Heard heard)
      : output_(context),
        errors_(context),
        ended_(context, ended),
        timer_(context),
        child_(child),
        heard_(std::move(heard)) {
    output_.descriptor.assign(output);
    if (errors >= 0) errors_.descriptor.assign(errors);
  }
  ~WorkerProcess() override {
    heard_ = {};
    end();
  }

  void start(std::chrono::seconds longest) {
    listen(output_, heard_.output);
    if (errors_.descriptor.is_open()) listen(errors_, heard_.errors);
    // A descriptor of a process can be read when it has ended.
    ended_.async_wait(asio::posix::descriptor_base::wait_read, [self = weak_from_this()](Code error) {
      if (const auto worker = self.lock(); worker && !error) worker->end();
    });
    timer_.expires_after(longest);
    timer_.async_wait([self = weak_from_this()](Code error) {
      if (const auto worker = self.lock(); worker && !error) worker->end();
    });
  }

  bool running() const override { return child_ > 0; }

  // The program may have left processes behind: all of its group end.
  void end() override {
    if (child_ <= 0) return;
    kill(-child_, SIGKILL);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    constexpr int kSignalled = 128;  // as shells report it
    const int exit_code = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
    // What it said last is still in the pipes.
    drain(output_, heard_.output);
    if (errors_.descriptor.is_open()) drain(errors_, heard_.errors);
    Code error;
    ended_.close(error), timer_.cancel(error);
    // The other two stay: one of them may be what ends us.
    if (const auto last = std::exchange(heard_.ended, nullptr)) last(exit_code);
  }

 private:
  using Listener = std::function<void(std::string_view)>;
  struct Source {
    explicit Source(asio::io_context& context) : descriptor(context) {}
    asio::posix::stream_descriptor descriptor;
    std::array<char, 4096> piece;
  };

  void listen(Source& source, const Listener& listener) {
    source.descriptor.async_read_some(asio::buffer(source.piece),
                                      [self = weak_from_this(), &source, &listener](Code error, size_t bytes) {
                                        const auto worker = self.lock();
                                        if (!worker || error) return;
                                        if (listener) listener(std::string_view(source.piece.data(), bytes));
                                        if (worker->running()) worker->listen(source, listener);
                                      });
  }
  void drain(Source& source, const Listener& listener) {
    Code error;
    source.descriptor.non_blocking(true, error);
    while (const size_t bytes = error ? 0 : source.descriptor.read_some(asio::buffer(source.piece), error))
      if (listener) listener(std::string_view(source.piece.data(), bytes));
    source.descriptor.close(error);
  }

  Source output_, errors_;
  asio::posix::stream_descriptor ended_;
  asio::steady_timer timer_;
  pid_t child_;
  Heard heard_;
};

}  // namespace

Result<std::shared_ptr<Worker>> Worker::start(asio::io_context& context, std::vector<std::string> command,
                                              const WorkerFolders& folders, std::chrono::seconds longest, Heard heard) {
  Pipe output, errors;
  if (!output.is_there() || !errors.is_there()) return cannot_start(errno);
  const bool apart = heard.errors != nullptr;
  const pid_t server = getpid(), child = fork();
  if (child == 0) become(command, folders, output.ends[1], apart ? errors.ends[1] : output.ends[1], server);
  if (child < 0) return cannot_start(errno);
  const int ended = int(syscall(SYS_pidfd_open, child, 0u));
  if (ended < 0) {
    const int reason = errno;
    kill(child, SIGKILL), waitpid(child, nullptr, 0);
    return cannot_start(reason);
  }
  setpgid(child, child);  // whichever of us is first
  auto worker = std::make_shared<WorkerProcess>(context, output.take_reader(), apart ? errors.take_reader() : -1, ended,
                                                child, std::move(heard));
  worker->start(longest);
  return std::shared_ptr<Worker>(worker);
}

}  // namespace warpwise::serve
