#include "base/usable_processors.h"

#include <gtest/gtest.h>
#include <sched.h>

namespace warpwise {
namespace {

TEST(UsableProcessors, reads_quotas) {
  EXPECT_EQ(processors_of_quota("150000 100000\n"), 1.5);
  EXPECT_EQ(processors_of_quota("200000\n 100000\n"), 2.0) << "of two files";
  EXPECT_EQ(processors_of_quota("max 100000\n"), std::nullopt);
  EXPECT_EQ(processors_of_quota("-1\n 100000\n"), std::nullopt);
  EXPECT_EQ(processors_of_quota("100000 0\n"), std::nullopt);
  EXPECT_EQ(processors_of_quota(""), std::nullopt);
}

// In a process of its own: the answer is kept.
TEST(UsableProcessors, are_those_the_thread_may_run_on) {
  EXPECT_EXIT(
      {
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) != 0) _exit(1);
        int first = 0;
        while (!CPU_ISSET(first, &set)) ++first;
        CPU_ZERO(&set);
        CPU_SET(first, &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0) _exit(2);
        _exit(usable_processors() == 1 ? 0 : 3);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpwise
