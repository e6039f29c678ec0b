#include "lab/judge/workers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

#include "base/usable_processors.h"

namespace warpwise::lab {
namespace {

// What the processes share: which task is next.
struct Shared {
  std::atomic<uint64_t> next{0};
};

// An answer on its way: the task, a length, so many bytes. Before it, when the task begins, the task with the length
// kBegun.
struct Head {
  uint64_t task = 0, bytes = 0;
};
constexpr uint64_t kBegun = ~uint64_t{0};

struct Worker {
  pid_t process = -1;
  int pipe = -1;
  std::string received;
  std::optional<uint64_t> at;  // the task that it is at
};

bool write_all(int fd, const void* data, size_t bytes) {
  auto* from = static_cast<const char*>(data);
  while (bytes != 0) {
    const ssize_t n = write(fd, from, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n, bytes -= size_t(n);
  }
  return true;
}

[[noreturn]] void work(Shared& shared, size_t count, int out, const std::function<std::string(size_t)>& task) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;) {
    const uint64_t index = shared.next.fetch_add(1);
    if (index >= count) _exit(0);
    const Head begun{index, kBegun};
    if (!write_all(out, &begun, sizeof begun)) _exit(1);
    const std::string answer = task(index);
    const Head head{index, answer.size()};
    if (!write_all(out, &head, sizeof head) || !write_all(out, answer.data(), answer.size())) _exit(1);
  }
}

class Workers {
 public:
  Workers(size_t count, const std::function<std::string(size_t)>& task,
          const std::function<void(size_t, const std::string&, bool)>& done)
      : count_(count), task_(task), done_(done) {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) shared_ = new (memory) Shared;
  }
  ~Workers() {
    for (Worker& worker : workers_)
      if (worker.process > 0) kill(worker.process, SIGKILL), close(worker.pipe), wait_for(worker);
    if (shared_) munmap(shared_, sizeof(Shared));
  }
  Workers(const Workers&) = delete;

  Result<void> run(unsigned jobs) {
    if (!shared_) return Error{"L0009", "no memory to share with working processes"};
    workers_.resize(std::min<size_t>(jobs, count_));
    for (Worker& worker : workers_) TRY(start(worker));
    std::vector<pollfd> ready;
    for (;;) {
      ready.clear();
      for (const Worker& worker : workers_)
        if (worker.process > 0) ready.push_back({worker.pipe, POLLIN, 0});
      if (ready.empty()) return {};
      if (poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR)
        return Error{"L0009", fmt::format("cannot wait for working processes: {}", std::strerror(errno))};
      size_t k = 0;
      for (Worker& worker : workers_) {
        if (worker.process <= 0) continue;
        if (ready[k++].revents) TRY(read_from(worker));
      }
    }
  }

 private:
  static void wait_for(Worker& worker) {
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    worker.process = -1;
  }

  Result<void> start(Worker& worker) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      return Error{"L0009", fmt::format("no pipe to a working process: {}", std::strerror(errno))};
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t child = fork();
    if (child < 0) {
      const int reason = errno;
      close(ends[0]), close(ends[1]);
      return Error{"L0009", fmt::format("a working process cannot be started: {}", std::strerror(reason))};
    }
    if (child == 0) {
      close(ends[0]);
      work(*shared_, count_, ends[1], task_);
    }
    close(ends[1]);
    worker = {child, ends[0], {}, {}};
    return {};
  }

  Result<void> read_from(Worker& worker) {
    char piece[64 << 10];
    const ssize_t n = read(worker.pipe, piece, sizeof piece);
    if (n < 0 && errno == EINTR) return {};
    if (n > 0) {
      worker.received.append(piece, size_t(n));
      take_messages(worker);
      return {};
    }
    close(worker.pipe);
    wait_for(worker);
    if (!worker.at) return {};
    done_(*worker.at, "", true);
    return start(worker);
  }

  void take_messages(Worker& worker) {
    for (Head head; worker.received.size() >= sizeof head;) {
      std::memcpy(&head, worker.received.data(), sizeof head);
      if (head.bytes == kBegun) {
        worker.at = head.task;
        worker.received.erase(0, sizeof head);
        continue;
      }
      if (worker.received.size() < sizeof head + head.bytes) return;
      worker.at.reset();
      const std::string answer = worker.received.substr(sizeof head, head.bytes);
      worker.received.erase(0, sizeof head + head.bytes);
      done_(head.task, answer, false);
    }
  }

  const size_t count_;
  const std::function<std::string(size_t)>& task_;
  const std::function<void(size_t, const std::string&, bool)>& done_;
  Shared* shared_ = nullptr;
  std::vector<Worker> workers_;
};

}  // namespace

Result<void> run_in_workers(size_t count, unsigned jobs, const std::function<std::string(size_t)>& task,
                            const std::function<void(size_t index, const std::string& answer, bool died)>& done) {
  if (count == 0) return {};
  return Workers(count, task, done).run(jobs ? jobs : usable_processors());
}

}  // namespace warpwise::lab
