// Tasks in several processes: each is done once, and one that takes its process down is reported and does not stop the
// others.
#include "lab/judge/workers.h"

#include <gtest/gtest.h>

#include <csignal>
#include <map>

namespace warpwise::lab {
namespace {

TEST(Workers, do_every_task_once) {
  std::map<size_t, std::string> answers;
  auto done = run_in_workers(
      50, 3, [](size_t i) { return std::string(i * 3000, char('a' + i % 26)); },
      [&](size_t i, const std::string& answer, bool died) {
        EXPECT_FALSE(died);
        EXPECT_TRUE(answers.emplace(i, answer).second);
      });
  ASSERT_TRUE(done.ok());
  ASSERT_EQ(answers.size(), 50u);
  for (const auto& [i, answer] : answers) EXPECT_EQ(answer, std::string(i * 3000, char('a' + i % 26)));
}

TEST(Workers, outlive_a_task_that_dies) {
  size_t died = 0, lived = 0;
  auto done = run_in_workers(
      20, 2,
      [](size_t i) {
        if (i % 5 == 0) raise(SIGKILL);
        return std::to_string(i);
      },
      [&](size_t i, const std::string& answer, bool dead) {
        EXPECT_EQ(dead, i % 5 == 0);
        EXPECT_EQ(answer, dead ? "" : std::to_string(i));
        ++(dead ? died : lived);
      });
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(died, 4u);
  EXPECT_EQ(lived, 16u);
}

}  // namespace
}  // namespace warpwise::lab
