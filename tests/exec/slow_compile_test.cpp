// The message about a kernel that takes long to compile (exec/loading/slow_compile.h).
#include "exec/loading/slow_compile.h"

#include <gtest/gtest.h>

#include <string>

namespace warpwise::exec {
namespace {

using namespace std::chrono_literals;

TEST(SlowCompile, says_that_it_lasts_and_that_it_has_ended) {
  testing::internal::CaptureStderr();
  {
    SlowCompile word("large", 64'000, 1ms);
    std::this_thread::sleep_for(200ms);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("warpwise: `large` is still being compiled: it has 64000 PTX instructions"), std::string::npos)
      << said;
  EXPECT_NE(said.find("warpwise: `large` is compiled, after 0 s"), std::string::npos) << said;
}

TEST(SlowCompile, says_that_a_small_kernel_waits_for_the_machine) {
  testing::internal::CaptureStderr();
  {
    SlowCompile word("small", 35, 1ms);
    std::this_thread::sleep_for(200ms);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("only 35 PTX instructions, so this machine is busy"), std::string::npos) << said;
  EXPECT_EQ(said.find("--time-passes"), std::string::npos) << said;
}

TEST(SlowCompile, is_silent_otherwise) {
  testing::internal::CaptureStderr();
  for (int k = 0; k < 100; ++k) SlowCompile word("small", 10);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace warpwise::exec
