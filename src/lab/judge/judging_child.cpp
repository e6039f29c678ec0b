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
    // The timed case has no counter, which would note them: memory that is only read takes room all the same.
    const size_t writers = array.parameter->is_output() && !trial.spec->timed ? array.count : 0;
    memory.writers.emplace_back(base ? reinterpret_cast<Writer*>(base + at) : nullptr, writers);
    at += aligned(writers * sizeof(Writer));
  }
  memory.unchanged = {base ? reinterpret_cast<uint8_t*>(base + at) : nullptr, trial.arrays.size()};
  at += aligned(trial.arrays.size());
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

// Zeros from here on. Whole pages are given back instead of being written, because writing would first copy them.
void clear_own_copy(std::byte* begin, size_t bytes) {
  const auto page = size_t(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (address + page - 1) / page * page, last = (address + bytes) / page * page;
  if (first >= last || madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED) != 0) {
    explicit_bzero(begin, bytes);
    return;
  }
  explicit_bzero(begin, first - address);
  explicit_bzero(reinterpret_cast<void*>(last), address + bytes - last);
}

// In the child's copy of the judge's memory, where they are not needed.
void forget_answers(const Trial& trial) {
  for (const TrialArray& array : trial.arrays)
    for (const auto* numbers : {&array.expected, &array.bound})  // inputs have none, and nothing at null may be cleared
      if (!numbers->empty())
        clear_own_copy(reinterpret_cast<std::byte*>(const_cast<double*>(numbers->data())),
                       numbers->size() * sizeof(double));
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
[[noreturn]] void be_child(int out, int permission, const ChildJob& job, const std::vector<TrialMemory>& arrays) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const Trial& trial : job.trials)
    if (trial.spec->timed) forget_answers(trial);
  if (auto prepared = job.prepare(); !prepared) {
    write_all(out, fmt::format("!{}: {}\n", prepared.error().code, prepared.error().message));
    _exit(1);
  }
  for (size_t i = 0; i < job.trials.size(); ++i) {
    auto result = job.run(job.trials[i], arrays[i]);
    if (!result) {
      write_all(out, "!" + result.error().message + "\n");
      _exit(1);
    }
    if (!write_all(out, to_json(*result) + "\n")) _exit(1);
    if (!job.go_on(*result) || !may_go_on(permission)) break;
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

}  // namespace

Result<SharedMemory> SharedMemory::create(size_t bytes) {
  bytes = std::max<size_t>(bytes, 1);
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return Error{"L0009", fmt::format("no memory to share with the judging child: {}", std::strerror(errno))};
  return SharedMemory(static_cast<std::byte*>(base), bytes);
}

void SharedMemory::unmap() {
  if (base_) munmap(std::exchange(base_, nullptr), bytes_);
}

Result<JudgingChild> JudgingChild::start(ChildJob job, const std::vector<JudgingChild*>& earlier) {
  size_t bytes = 0;
  for (const Trial& trial : job.trials) lay_out(trial, nullptr, bytes);
  JudgingChild child(Finished{.memory = TRY(SharedMemory::create(bytes)), .arrays = {}, .results = {}, .broken = {}});
  child.most_memory_ = kMostMemory + 4 * bytes;
  bytes = 0;
  for (const Trial& trial : job.trials)
    child.finished_.arrays.push_back(lay_out(trial, child.finished_.memory.base(), bytes));
  child.finished_.results.resize(job.trials.size());

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
  const pid_t process = fork();
  if (process < 0) {
    const int reason = errno;
    for (int fd : {ends[0], ends[1], permission[0], permission[1]}) close(fd);
    return Error{"L0009", fmt::format("the judging child cannot be started: {}", std::strerror(reason))};
  }
  if (process == 0) {
    close(ends[0]), close(permission[1]);
    for (JudgingChild* other : earlier) other->forget();
    be_child(ends[1], permission[0], job, child.finished_.arrays);
  }
  close(ends[1]), close(permission[0]);
  child.process_ = process;
  child.results_ = ends[0];
  child.permission_ = permission[1];
  child.deadline_ = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                           std::chrono::duration<double>(job.seconds));
  return child;
}

JudgingChild::JudgingChild(JudgingChild&& other) noexcept
    : finished_(std::move(other.finished_)),
      process_(std::exchange(other.process_, -1)),
      results_(std::exchange(other.results_, -1)),
      permission_(std::exchange(other.permission_, -1)),
      deadline_(other.deadline_),
      most_memory_(other.most_memory_),
      next_(other.next_),
      received_(std::move(other.received_)) {}

JudgingChild::~JudgingChild() {
  if (process_ > 0) end();
}

void JudgingChild::forget() {
  for (int fd : {results_, permission_})
    if (fd >= 0) close(fd);
  finished_.memory.unmap();
}

// The child waits for permission to run the next trial: there is none.
void JudgingChild::stop() {
  if (permission_ >= 0) close(std::exchange(permission_, -1));
}

void JudgingChild::end() {
  stop();
  if (results_ >= 0) close(std::exchange(results_, -1));
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

void JudgingChild::enforce_limits() {
  if (process_ < 0) return;
  finished_.timed_out = std::chrono::steady_clock::now() >= deadline_;
  finished_.out_of_memory = !finished_.timed_out && memory_of(process_) > most_memory_;
  if (finished_.timed_out || finished_.out_of_memory) end();
}

void JudgingChild::take_line(std::string_view line, const TrialEnded& goes_on) {
  if (line.starts_with("!")) {
    finished_.broken = line.substr(1);
    return;
  }
  if (next_ == finished_.results.size() || permission_ < 0) return;
  auto result = trial_result_from_json(line);
  if (!result) {
    finished_.broken = result.error().message;
    return stop();
  }
  finished_.results[next_] = std::move(result).value();
  const bool wanted = !goes_on || goes_on(next_, finished_.results[next_], finished_.arrays[next_]);
  ++next_;
  // No signal where a child has ended by itself.
  if (!wanted || send(permission_, "", 1, MSG_NOSIGNAL) != 1) stop();
}

Result<Finished> JudgingChild::finish(const TrialEnded& goes_on, const std::function<void()>& idle) {
  char piece[64 << 10];
  while (process_ > 0) {
    pollfd ready{results_, POLLIN, 0};
    const int n = poll(&ready, 1, kLookMilliseconds);
    if (idle) idle();
    // What it has written counts, even if it is read late.
    if (n <= 0) {
      enforce_limits();
      continue;
    }
    const ssize_t got = read(results_, piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    received_.append(piece, size_t(got));
    if (received_.size() > kLongestLine) {
      finished_.out_of_memory = true;
      end();
    }
    for (size_t line; (line = received_.find('\n')) != received_.npos; received_.erase(0, line + 1))
      take_line(std::string_view(received_).substr(0, line), goes_on);
  }
  stop();
  if (process_ < 0) return std::move(finished_);
  close(std::exchange(results_, -1));
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) finished_.signal = WTERMSIG(status);
  return std::move(finished_);
}

Result<Finished> run_in_child(ChildJob job, const TrialEnded& goes_on) {
  JudgingChild child = TRY(JudgingChild::start(std::move(job)));
  return child.finish(goes_on);
}

}  // namespace warpwise::lab
