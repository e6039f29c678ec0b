// Two builds with one loaded compiler: who begins, who ends it, and what each learns of refused accesses.
#include "lab/sandbox/shared_compiler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "lab/sandbox/compiler.h"
#include "toolchain/installation.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

class Shared : public testing::Test {
 protected:
  Shared() : shared_(std::move(toolchain::TemporaryFolder::create(fs::temp_directory_path())).value()) {
    job_.command = {toolchain::find_clang()->path};
    job_.readable = system_folders();
    job_.readable.push_back(toolchain::Installation::find().libraries);
    job_.folder = shared_.folder();
    job_.environment = {"PATH=/usr/bin:/bin"};
    job_.may_start_programs = true;
    job_.limits = compiler_limits();
  }
  std::optional<toolchain::JobResult> version_from(LoadedCompiler* compiler) {
    if (!compiler) return std::nullopt;
    return compiler->run({job_.command[0], "--version"}, {"PATH=/usr/bin:/bin"}, shared_.folder());
  }

  SharedCompiler shared_;
  Job job_;
};

TEST_F(Shared, ServesBothBuildsUntilBothHaveLeft) {
  SharedCompiler::Place checked(shared_, true), timed(shared_, false);
  std::optional<toolchain::JobResult> other;
  std::thread waits([&] { other = version_from(timed.loaded(job_)); });
  const auto first = version_from(checked.loaded(job_));
  waits.join();
  ASSERT_TRUE(first && other);
  EXPECT_EQ(first->exit_code, 0);
  EXPECT_EQ(other->output, first->output);
  checked.leave();
  EXPECT_EQ(checked.loaded(job_), nullptr);
  LoadedCompiler* still = timed.loaded(job_);
  EXPECT_TRUE(version_from(still));
  timed.leave();
  EXPECT_FALSE(version_from(still)) << "it has ended with the last build";
}

// The build that begins may fail before its first run.
TEST_F(Shared, TheOtherBuildDoesNotWaitForOneThatHasLeft) {
  SharedCompiler::Place timed(shared_, false);
  std::optional<SharedCompiler::Place> checked(std::in_place, shared_, true);
  std::thread leaves([&] { checked.reset(); });
  EXPECT_EQ(timed.loaded(job_), nullptr);
  leaves.join();
}

TEST_F(Shared, WhoAsksForRefusalsWaitsForTheOtherBuild) {
  SharedCompiler::Place checked(shared_, true), timed(shared_, false);
  ASSERT_TRUE(version_from(checked.loaded(job_)));
  std::atomic<bool> has_answer = false;
  std::thread asks([&] {
    (void)checked.refused();
    has_answer = true;
  });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(version_from(timed.loaded(job_)));
  EXPECT_FALSE(has_answer) << "its compiler would have ended under the other build's hands";
  EXPECT_EQ(timed.refused(), std::vector<std::string>());
  asks.join();
}

}  // namespace
}  // namespace warpwise::lab::sandbox
