#include "lab/judge/judging_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "base/sanitized.h"
#include "lab/sandbox/process_tree.h"

namespace warpwise::lab {
namespace {

constexpr size_t kLongestLine = 64 << 20;
// The memory that a child may use besides its arrays: for the compiler, code, shadows and the local memory of blocks.
constexpr uint64_t kMostMemory = kMemoryGrowth * (uint64_t{3} << 30);
constexpr int kLookMilliseconds = 50;

size_t aligned(size_t bytes) { return (bytes + 63) / 64 * 64; }

// The places of a trial's arrays in shared memory, from `at` on; with a base of null only counts.
TrialMemory lay_out(const Trial& trial, std::byte* base, size_t& at) {
  TrialMemory memory;
  for (const TrialArray& array : trial.arrays) {
    memory.after.emplace_back(base ? base + at : nullptr, array.bytes());
    at += aligned(array.bytes());
    const size_t writers = array.parameter->is_output() ? array.count : 0;
    memory.writers.emplace_back(base ? reinterpret_cast<Writer*>(base + at) : nullptr, writers);
    at += aligned(writers * sizeof(Writer));
  }
  return memory;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(size_t(n));
  }
  return true;
}

// In the child's copy of the judge's memory, where they are not needed.
void forget_answers(const Trial& trial) {
  for (const TrialArray& array : trial.arrays)
    for (const auto* numbers : {&array.expected, &array.bound})  // inputs have none, and nothing at null may be cleared
      if (!numbers->empty()) explicit_bzero(const_cast<double*>(numbers->data()), numbers->size() * sizeof(double));
}

// Waits for the parent's permission to run the next trial: a byte. False when it has closed its end.
bool may_go_on(int in) {
  char byte;
  ssize_t n;
  while ((n = read(in, &byte, 1)) < 0 && errno == EINTR) {
  }
  return n == 1;
}

// `permission`: where the parent says whether to go on, after each trial.
[[noreturn]] void be_child(int out, int permission, std::span<const Trial> trials,
                           const std::vector<TrialMemory>& arrays, const std::function<Result<void>()>& prepare,
                           const RunTrial& run, const std::function<bool(const TrialResult&)>& go_on) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const Trial& trial : trials)
    if (trial.spec->timed) forget_answers(trial);
  if (auto prepared = prepare(); !prepared) {
    write_all(out, fmt::format("!{}: {}\n", prepared.error().code, prepared.error().message));
    _exit(1);
  }
  for (size_t i = 0; i < trials.size(); ++i) {
    auto result = run(trials[i], arrays[i]);
    if (!result) {
      write_all(out, "!" + result.error().message + "\n");
      _exit(1);
    }
    if (!write_all(out, to_json(*result) + "\n")) _exit(1);
    if (!go_on(*result) || !may_go_on(permission)) break;
  }
  // No destructors: the process and all that it has mapped are about to go.
  _exit(0);
}

// Of the process and what it has started, in bytes; shared arrays count.
uint64_t memory_of(pid_t child) {
  std::vector<pid_t> all = sandbox::processes_below(child);
  all.push_back(child);
  return sandbox::usage_of(all).memory_bytes;
}

enum class ReadEnd { Closed, TimeOver, MemoryOver };

// Reads lines until the pipe closes, or the limit of time or memory is reached.
ReadEnd read_lines(int in, pid_t child, double seconds, uint64_t most_memory,
                   const std::function<void(std::string_view)>& line) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string text;
  char piece[64 << 10];
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) return ReadEnd::TimeOver;
    pollfd ready{in, POLLIN, 0};
    const int n = poll(&ready, 1, int(std::min<int64_t>(left, kLookMilliseconds)));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0 && memory_of(child) > most_memory) return ReadEnd::MemoryOver;
    if (n <= 0) continue;
    const ssize_t got = read(in, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return ReadEnd::Closed;
    text.append(piece, size_t(got));
    if (text.size() > kLongestLine) return ReadEnd::MemoryOver;
    for (size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
      line(std::string_view(text).substr(0, end));
  }
}

}  // namespace

Result<SharedMemory> SharedMemory::create(size_t bytes) {
  bytes = std::max<size_t>(bytes, 1);
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return Error{"L0009", fmt::format("no memory to share with the judging child: {}", std::strerror(errno))};
  return SharedMemory(static_cast<std::byte*>(base), bytes);
}

SharedMemory::~SharedMemory() {
  if (base_) munmap(base_, bytes_);
}

Result<Finished> run_in_child(std::span<const Trial> trials, const std::function<Result<void>()>& prepare,
                              const RunTrial& run, const std::function<bool(const TrialResult&)>& go_on, double seconds,
                              const TrialEnded& goes_on) {
  size_t bytes = 0;
  for (const Trial& trial : trials) lay_out(trial, nullptr, bytes);
  const size_t shared_bytes = bytes;
  Finished finished{.memory = TRY(SharedMemory::create(bytes)), .arrays = {}, .results = {}, .broken = {}};
  bytes = 0;
  for (const Trial& trial : trials) finished.arrays.push_back(lay_out(trial, finished.memory.base(), bytes));
  finished.results.resize(trials.size());

  int ends[2], permission[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{"L0009", fmt::format("no pipe to the judging child: {}", std::strerror(errno))};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, permission) != 0) {
    const int reason = errno;
    close(ends[0]), close(ends[1]);
    return Error{"L0009", fmt::format("no socket to the judging child: {}", std::strerror(reason))};
  }
  std::fflush(stdout);
  std::fflush(stderr);
  const pid_t child = fork();
  if (child < 0) {
    const int reason = errno;
    for (int fd : {ends[0], ends[1], permission[0], permission[1]}) close(fd);
    return Error{"L0009", fmt::format("the judging child cannot be started: {}", std::strerror(reason))};
  }
  if (child == 0) {
    close(ends[0]), close(permission[1]);
    be_child(ends[1], permission[0], trials, finished.arrays, prepare, run, go_on);
  }
  close(ends[1]), close(permission[0]);
  int allow = permission[1];
  auto stop = [&allow] {
    if (allow >= 0) close(std::exchange(allow, -1));
  };
  size_t next = 0;
  const ReadEnd end = read_lines(ends[0], child, seconds, kMostMemory + 4 * shared_bytes, [&](std::string_view line) {
    if (line.starts_with("!")) {
      finished.broken = line.substr(1);
    } else if (next < trials.size() && allow >= 0) {
      auto result = trial_result_from_json(line);
      if (!result) {
        finished.broken = result.error().message;
        return stop();
      }
      finished.results[next] = std::move(result).value();
      const bool wanted = !goes_on || goes_on(next, finished.results[next], finished.arrays[next]);
      ++next;
      // No signal where a child has ended by itself.
      if (!wanted || send(allow, "", 1, MSG_NOSIGNAL) != 1) stop();
    }
  });
  stop();
  close(ends[0]);
  finished.timed_out = end == ReadEnd::TimeOver;
  finished.out_of_memory = end == ReadEnd::MemoryOver;
  if (end != ReadEnd::Closed) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && end == ReadEnd::Closed) finished.signal = WTERMSIG(status);
  return finished;
}

}  // namespace warpwise::lab
