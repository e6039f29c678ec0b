#include "toolchain/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace warpwise::toolchain {
namespace {

using namespace std::chrono_literals;

Job shell(const std::string& script) { return {{"/bin/sh", "-c", script}}; }

TEST(Jobs, give_output_and_exit_code) {
  auto results = run_jobs({shell("echo out; echo err >&2; exit 3"), shell("kill -9 $$"), shell("cat")});
  ASSERT_TRUE(results.ok());
  EXPECT_EQ((*results)[0].output, "out\nerr\n");
  EXPECT_EQ((*results)[0].exit_code, 3);
  EXPECT_EQ((*results)[1].exit_code, 128 + SIGKILL);
  EXPECT_EQ((*results)[2].exit_code, 0) << "standard input is empty";
}

TEST(Jobs, run_side_by_side) {
  auto begun = std::chrono::steady_clock::now();
  auto results = run_jobs({shell("sleep 0.4"), shell("sleep 0.4")}, {.at_once = 2});
  ASSERT_TRUE(results.ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(700));
}

TEST(Jobs, write_more_than_a_pipe_holds) {
  auto results = run_jobs({shell("head -c 300000 /dev/zero")});
  ASSERT_TRUE(results.ok());
  EXPECT_EQ((*results)[0].output.size(), 300000u);
}

TEST(Jobs, tell_when_they_are_slow) {
  int told = 0;
  ASSERT_TRUE(run_jobs({shell("sleep 0.7")}, {.on_slow = [&] { ++told; }}).ok());
  EXPECT_EQ(told, 1);
  ASSERT_TRUE(run_jobs({shell("true")}, {.on_slow = [&] { ++told; }}).ok());
  EXPECT_EQ(told, 1);
  RunOptions twice{.on_slow = [&] { told = 10; }, .on_very_slow = [&] { ++told; }, .very_slow = 700ms};
  ASSERT_TRUE(run_jobs({shell("sleep 0.9")}, twice).ok());
  EXPECT_EQ(told, 11) << "once each, in this order";
}

TEST(Jobs, that_cannot_start_are_named) {
  auto results = run_jobs({{{"/nonexistent/clang"}}});
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.error().code, "T0001");
}

TEST(Jobs, end_at_an_interrupt_and_the_signal_arrives_afterwards) {
  pid_t child = fork();
  if (child == 0) {
    auto results = run_jobs({shell("kill -INT $PPID; sleep 20")});
    if (results.ok() || results.error().code != "T0009") _exit(1);
    // Here is the time to clean up: the signal waits.
    die_of_interrupt();
    _exit(2);
  }
  int status = 0;
  auto begun = std::chrono::steady_clock::now();
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST(Shell, quotes_what_needs_it) {
  EXPECT_EQ(shell_quoted({"clang", "-DA=b", "two words", "it's", ""}), "clang -DA=b 'two words' 'it'\\''s' ''");
}

}  // namespace
}  // namespace warpwise::toolchain
