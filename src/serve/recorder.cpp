#include "serve/recorder.h"

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
#include <cstring>
#include <nlohmann/json.hpp>

namespace warpwise::serve {

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Code = boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostSaid = 32 * 1024;

Error cannot_start(int reason) { return {"T0001", fmt::format("cannot start a process: {}", std::strerror(reason))}; }

[[noreturn]] void become(const std::vector<std::string>& command, const fs::path& folder, int output, pid_t server) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(127);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || chdir(folder.c_str()) != 0) _exit(127);
  dup2(nothing, STDIN_FILENO), dup2(output, STDOUT_FILENO), dup2(output, STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(127);
}

class RecorderProcess : public Recorder, public std::enable_shared_from_this<RecorderProcess> {
 public:
  RecorderProcess(asio::io_context& context, int output, int ended, pid_t child, fs::path file)
      : output_(context, output), ended_(context, ended), timer_(context), child_(child), file_(std::move(file)) {}
  ~RecorderProcess() override { end(); }

  void start() {
    listen();
    // A descriptor of a process can be read when it has ended.
    ended_.async_wait(asio::posix::descriptor_base::wait_read, [self = weak_from_this()](Code error) {
      if (const auto recorder = self.lock(); recorder && !error) recorder->end();
    });
    timer_.expires_after(kLongest);
    timer_.async_wait([self = weak_from_this()](Code error) {
      const auto recorder = self.lock();
      if (!recorder || error) return;
      recorder->said_ += fmt::format("\nended after {} minutes\n", kLongest.count());
      recorder->end();
    });
  }

  RecordProgress progress() const override {
    const auto until = child_ > 0 ? Clock::now() : stop_;
    return {state_, std::chrono::duration<double>(until - begin_).count(), exit_code_, said_};
  }

 private:
  void listen() {
    output_.async_read_some(asio::buffer(piece_), [self = weak_from_this()](Code error, size_t bytes) {
      const auto recorder = self.lock();
      if (!recorder || error) return;
      recorder->take(std::string_view(recorder->piece_.data(), bytes));
      recorder->listen();
    });
  }
  void take(std::string_view piece) {
    said_ += piece;
    if (said_.size() > 2 * kMostSaid) said_ = "…\n" + said_.substr(said_.size() - kMostSaid);
  }

  // The program may have left processes behind: all of its group end.
  void end() {
    if (child_ <= 0) return;
    kill(-child_, SIGKILL);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1, stop_ = Clock::now();
    constexpr int kSignalled = 128;  // as shells report it
    exit_code_ = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
    Code error;
    // What it said last is still in the pipe.
    output_.non_blocking(true, error);
    while (const size_t bytes = error ? 0 : output_.read_some(asio::buffer(piece_), error))
      take(std::string_view(piece_.data(), bytes));
    std::error_code missing;
    state_ = fs::exists(file_, missing) ? RecordState::Ready : RecordState::Failed;
    output_.close(error), ended_.close(error), timer_.cancel(error);
  }

  asio::posix::stream_descriptor output_, ended_;
  asio::steady_timer timer_;
  pid_t child_;
  fs::path file_;
  RecordState state_ = RecordState::Recording;
  Clock::time_point begin_ = Clock::now(), stop_ = begin_;
  int exit_code_ = 0;
  std::string said_;
  std::array<char, 4096> piece_;
};

}  // namespace

std::string_view name_of(RecordState state) {
  constexpr std::string_view kNames[] = {"none", "recording", "ready", "failed"};
  return kNames[size_t(state)];
}

std::string to_json(const RecordProgress& progress) {
  const nlohmann::ordered_json json{{"state", name_of(progress.state)},
                                    {"seconds", progress.seconds},
                                    {"exit_code", progress.exit_code},
                                    {"said", progress.said}};
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<std::shared_ptr<Recorder>> Recorder::start(asio::io_context& context, std::vector<std::string> command,
                                                  const fs::path& folder, const fs::path& output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start(errno);
  const pid_t server = getpid(), child = fork();
  if (child == 0) become(command, folder, ends[1], server);
  const int reason = errno;
  close(ends[1]);
  const int ended = child < 0 ? -1 : int(syscall(SYS_pidfd_open, child, 0u));
  if (ended < 0) {
    if (child > 0) kill(child, SIGKILL), waitpid(child, nullptr, 0);
    close(ends[0]);
    return cannot_start(child < 0 ? reason : errno);
  }
  setpgid(child, child);  // whichever of us is first
  auto recorder = std::make_shared<RecorderProcess>(context, ends[0], ended, child, output);
  recorder->start();
  return std::shared_ptr<Recorder>(recorder);
}

}  // namespace warpwise::serve
