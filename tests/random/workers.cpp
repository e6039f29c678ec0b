#include "workers.h"

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>

namespace warpwise::random_programs {

namespace {

// What the processes share.
constexpr unsigned kTaskBits = 40;
struct Board {
  std::atomic<uint64_t> next, done, failed;
  std::atomic<uint64_t> slowest;  // milliseconds << kTaskBits | task
};
constexpr unsigned kMaxProcesses = 256;
struct SharedBoard : Board {
  std::atomic<uint64_t> current[kMaxProcesses];  // task + 1; 0: none
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0   ? ""
         : WEXITSTATUS(status) == 1 ? "false"
                                    : "exit code " + std::to_string(WEXITSTATUS(status));
}

// Processor time, because a program is not to blame for a busy machine.
uint64_t milliseconds() { return static_cast<uint64_t>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

// _exit, because the parent's buffers and objects are not the child's to flush or destroy.
[[noreturn]] void end(int code) {
  std::fflush(stdout);
  _exit(code);
}

}  // namespace

void end_after(unsigned seconds) {
  itimerval timer{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

std::string run_apart(const std::function<bool()>& task, unsigned seconds) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child < 0) return "no process";
  if (child == 0) {
    end_after(seconds);
    end(task() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return how_it_ended(status);
}

Tally spread(const Spread& work, const std::function<bool(uint64_t)>& task,
             const std::function<void(uint64_t, const std::string&)>& on_death) {
  void* memory = mmap(nullptr, sizeof(SharedBoard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return {};
  auto* board = new (memory) SharedBoard();
  const auto begun = std::chrono::steady_clock::now();
  auto work_left = [&] {
    bool in_time = work.seconds == 0 || std::chrono::steady_clock::now() - begun < std::chrono::seconds(work.seconds);
    return in_time && board->next < work.count;
  };
  std::map<pid_t, unsigned> running;
  auto start = [&](unsigned slot) {
    std::fflush(stdout);
    pid_t child = fork();
    if (child != 0) {
      if (child > 0) running[child] = slot;
      return;
    }
    while (work_left()) {
      uint64_t number = board->next++;
      if (number >= work.count) break;
      board->current[slot] = number + 1;
      end_after(work.task_seconds);
      const uint64_t begin = milliseconds();
      if (!task(work.first + number)) ++board->failed;
      const uint64_t took = (milliseconds() - begin) << kTaskBits | (number & ((uint64_t{1} << kTaskBits) - 1));
      for (uint64_t before = board->slowest; before < took && !board->slowest.compare_exchange_weak(before, took);) {
      }
      std::fflush(stdout);
      board->current[slot] = 0;
      ++board->done;
    }
    end(0);
  };
  for (unsigned slot = 0; slot < std::min(work.processes, kMaxProcesses); ++slot) start(slot);
  while (!running.empty()) {
    int status = 0;
    pid_t child = wait(&status);
    if (child < 0) break;
    unsigned slot = running[child];
    running.erase(child);
    std::string why = how_it_ended(status);
    uint64_t current = board->current[slot].exchange(0);
    if (current == 0) continue;
    ++board->done;
    ++board->failed;
    on_death(work.first + current - 1, why);
    if (work_left()) start(slot);
  }
  const uint64_t slowest = board->slowest;
  Tally tally{board->done, board->failed, work.first + (slowest & ((uint64_t{1} << kTaskBits) - 1)),
              (slowest >> kTaskBits) / 1000.0};
  munmap(memory, sizeof(SharedBoard));
  return tally;
}

}  // namespace warpwise::random_programs
