// A program as a child of this process (cli/support/child.h), which has a thread besides, as a GPU's driver makes them:
// it does not block signals, and what it is sent counts as well.
#include "cli/support/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

namespace {

// While it is not negative: what the child waits for before it ends.
std::atomic<int> keeps_child = -1;

}  // namespace

// In place of the C library's. A child that is found alive may end before its parent waits for a signal, which happens
// once in ten thousand times. Here it does each time: the child has ended, and the signal of it has come, when the
// parent hears that it is alive.
extern "C" pid_t waitpid(pid_t child, int* status, int options) {
  const pid_t ended = wait4(child, status, options, nullptr);
  const int keeps = ended == 0 ? keeps_child.exchange(-1) : -1;
  if (keeps >= 0) {
    close(keeps);
    siginfo_t info;
    waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return ended;
}

namespace warpwise::cli {
namespace {

// A child whose end is missed is waited for without end.
constexpr unsigned kMostSeconds = 20;

class Child : public testing::Test {
 protected:
  ~Child() override {
    done_ = true;
    other_.join();
  }

 private:
  std::atomic<bool> done_ = false;
  std::thread other_{[this] {
    while (!done_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }};
};

TEST_F(Child, its_end_is_never_missed) {
  alarm(kMostSeconds);
  for (int n = 0; n < 20; ++n) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    keeps_child = ends[1];
    auto end = run_child([&]() -> int {
      char byte;
      close(ends[1]);
      (void)!read(ends[0], &byte, 1);
      _exit(7);
    });
    close(ends[0]);
    ASSERT_TRUE(end.ok());
    ASSERT_EQ(end->exit_code, 7);
    ASSERT_EQ(keeps_child, -1);  // it ended when it was found alive
  }
  alarm(0);
}

TEST_F(Child, a_signal_to_this_process_reaches_it) {
  std::thread sender([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(getpid(), SIGUSR1);
  });
  auto end = run_child([]() -> int {
    execl("/bin/sh", "sh", "-c", "trap 'exit 9' USR1; while :; do sleep 0.01; done", nullptr);
    return errno;
  });
  sender.join();
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->exit_code, 9);
}

TEST_F(Child, a_program_that_does_not_start_is_named) {
  auto end = run_child([]() -> int { return execl("/nowhere", "nowhere", nullptr), errno; });
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->start_failure, ENOENT);
}

}  // namespace
}  // namespace warpwise::cli
