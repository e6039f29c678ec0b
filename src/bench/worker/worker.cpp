#include "bench/worker/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "toolchain/installation.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"

namespace warpwise::bench {

using bench_worker::Answer;
using bench_worker::Argument;
using bench_worker::Order;
using bench_worker::OrderKind;
using bench_worker::Run;

namespace {

constexpr const char* kOptionsVariable = "WARPWISE_OPTIONS";
// That a worker may take to end once it has closed its socket: it may have much to give back.
constexpr double kEndSeconds = 10;

// In the child: becomes the program.
[[noreturn]] void become(const toolchain::Program& program, const Start& start, int socket, int said) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  toolchain::set_program_environment(toolchain::Installation::find());
  if (!start.options.empty()) setenv(kOptionsVariable, start.options.c_str(), 1);
  if (program.modules.empty())
    unsetenv(toolchain::kModulesVariable);
  else
    setenv(toolchain::kModulesVariable, program.modules.c_str(), 1);
  setenv(bench_worker::kDescriptorVariable, std::to_string(socket).c_str(), 1);
  if (const int nowhere = open("/dev/null", O_RDWR); nowhere >= 0)
    dup2(nowhere, STDIN_FILENO), dup2(nowhere, STDOUT_FILENO), dup2(said >= 0 ? said : nowhere, STDERR_FILENO);
  execl(program.executable.c_str(), program.executable.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

// Of a file in memory: where a program says why it ends.
std::string last_line(int file) {
  constexpr off_t kMost = 2000;
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0) return "";
  const off_t from = std::max<off_t>(0, status.st_size - kMost);
  std::string text(size_t(status.st_size - from), 0);
  const ssize_t got = pread(file, text.data(), text.size(), from);
  text.resize(size_t(std::max<ssize_t>(got, 0)));
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string how_it_ended(const std::optional<int>& status) {
  if (!status) return "it answers no more and does not end";
  if (!WIFSIGNALED(*status)) return fmt::format("it ended with exit code {}", WEXITSTATUS(*status));
  return fmt::format("signal {} ({}) ended it", WTERMSIG(*status), strsignal(WTERMSIG(*status)));
}

}  // namespace

Result<Worker> Worker::start(const toolchain::Program& program, const Start& start) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{"B0005", fmt::format("no socket for a worker: {}", std::strerror(errno))};
  const int said = memfd_create("worker", MFD_CLOEXEC);
  const pid_t child = fork();
  if (child < 0) {
    const int reason = errno;
    close(ends[0]), close(ends[1]), close(said);
    return Error{"B0005", fmt::format("no process for a worker: {}", std::strerror(reason))};
  }
  if (child == 0) {
    fcntl(ends[1], F_SETFD, 0);
    become(program, start, ends[1], said);
  }
  close(ends[1]);
  return Worker(child, ends[0], said, start.seconds);
}

Worker::Worker(Worker&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      socket_(std::exchange(other.socket_, -1)),
      said_(std::exchange(other.said_, -1)),
      seconds_(other.seconds_) {}

Worker& Worker::operator=(Worker&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  std::swap(said_, other.said_);
  std::swap(seconds_, other.seconds_);
  return *this;
}

Worker::~Worker() {
  if (process_ > 0) wait(0);
  for (int fd : {socket_, said_})
    if (fd >= 0) close(fd);
}

std::optional<int> Worker::wait(double seconds) {
  using namespace std::chrono;
  constexpr auto kPause = milliseconds(2);
  const auto deadline = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(seconds));
  const pid_t process = std::exchange(process_, -1);
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(kPause);
  }
  kill(process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return std::nullopt;
}

Error Worker::gone(std::string_view what) {
  if (process_ <= 0) return {"B0005", "it has ended before"};
  std::string how(what);
  if (how.empty())  // it has closed its end: it has ended, or is about to
    how = how_it_ended(wait(kEndSeconds));
  else
    wait(0);
  const std::string last = last_line(said_);
  return {"B0005", last.empty() ? how : fmt::format("{}; it said: {}", how, last)};
}

Result<void> Worker::receive(void* to, size_t bytes) {
  using namespace std::chrono;
  const auto deadline = steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(seconds_));
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const auto left = duration_cast<milliseconds>(deadline - steady_clock::now()).count();
    pollfd wanted{socket_, POLLIN, 0};
    const int ready = poll(&wanted, 1, int(std::max<int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return gone(fmt::format("it did not answer within {:.0f} s", seconds_));
    const ssize_t got = recv(socket_, at, bytes, 0);
    if (got <= 0) return gone("");
    at += got, bytes -= size_t(got);
  }
  return {};
}

Result<Answer> Worker::ask(const Order& order, const std::vector<Argument>& with) {
  if (process_ <= 0) return gone("");
  std::string bytes(reinterpret_cast<const char*>(&order), sizeof order);
  bytes.append(reinterpret_cast<const char*>(with.data()), with.size() * sizeof(Argument));
  if (send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) != ssize_t(bytes.size())) return gone("");
  Answer answer;
  TRY(receive(&answer, sizeof answer));
  answer.why[sizeof answer.why - 1] = 0;
  if (!answer.ok) return gone(answer.why);
  return answer;
}

Result<Worker::Prepared> Worker::prepare(const std::vector<Argument>& arguments, const Preparation& how) {
  Order order;
  order.kind = OrderKind::Prepare;
  order.arguments = uint32_t(arguments.size());
  order.unchecked = how.unchecked;
  order.seed = how.seed;
  order.memory = how.memory;
  order.flush = how.flush;
  const Answer answer = TRY(ask(order, arguments));
  return Prepared{answer.bytes, answer.seconds};
}

Result<Worker::Runs> Worker::round(const Round& round) {
  Order order;
  order.kind = OrderKind::Round;
  order.runs = std::min(round.runs, bench_worker::kMostRuns);
  order.warm = round.warm;
  order.seed = round.seed;
  const Answer answer = TRY(ask(order, {}));
  if (answer.runs > order.runs) return gone("it answers with more runs than it was asked for");
  Runs out{std::vector<Run>(answer.runs), answer.seconds};
  TRY(receive(out.runs.data(), out.runs.size() * sizeof(Run)));
  return out;
}

Result<double> Worker::copy(uint64_t bytes, uint64_t flush) {
  Order order;
  order.kind = OrderKind::Copy;
  order.memory = bytes;
  order.flush = flush;
  const Answer answer = TRY(ask(order, {}));
  return answer.seconds > 0 ? double(answer.bytes) / answer.seconds : 0.0;
}

Result<void> Worker::end() {
  if (process_ <= 0) return gone("");
  const Order order;
  if (send(socket_, &order, sizeof order, MSG_NOSIGNAL) != ssize_t(sizeof order)) return gone("");
  const std::optional<int> status = wait(seconds_);
  if (!status || !WIFEXITED(*status) || WEXITSTATUS(*status) != 0) return Error{"B0005", how_it_ended(status)};
  return {};
}

}  // namespace warpwise::bench
