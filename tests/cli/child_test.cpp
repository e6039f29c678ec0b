// A program as a child of this process (cli/support/child.h), which has a thread besides, as a GPU's driver makes them:
// it does not block signals, and what it is sent counts as well.
#include "cli/support/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

namespace warpwise::cli {
namespace {

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
  for (int n = 0; n < 200; ++n) {
    auto end = run_child([]() -> int { _exit(7); });
    ASSERT_TRUE(end.ok());
    ASSERT_EQ(end->exit_code, 7);
  }
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
