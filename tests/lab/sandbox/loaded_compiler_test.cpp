// What the runs of one sandbox can do to each other and to the process that they are forks of: the shell stands for a
// compiler that a source has taken over.
#include "lab/sandbox/loaded_compiler.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lab/sandbox/compiler.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

class Loaded : public testing::TestWithParam<Isolation> {
 protected:
  Loaded() : folder_(std::move(toolchain::TemporaryFolder::create(fs::temp_directory_path())).value()) {
    clang_ = toolchain::find_clang()->path;
    Job job;
    job.readable = system_folders();
    job.readable.push_back(toolchain::Installation::find().libraries);
    job.writable = {folder_.path()};
    job.folder = folder_.path();
    job.environment = {"PATH=/usr/bin:/bin"};
    job.may_start_programs = true;
    job.limits = compiler_limits();
    job.isolation = GetParam();
    if (auto started = LoadedCompiler::start(job, clang_)) compiler_.emplace(std::move(*started));
  }
  std::optional<toolchain::JobResult> run(const std::vector<std::string>& words) {
    return compiler_->run(words, {"PATH=/usr/bin:/bin", "TMPDIR=" + folder_.path().string()}, folder_.path());
  }
  std::optional<toolchain::JobResult> shell(const std::string& line) { return run({"/bin/sh", "-c", line}); }

  toolchain::TemporaryFolder folder_;
  fs::path clang_;
  std::optional<LoadedCompiler> compiler_;
};

INSTANTIATE_TEST_SUITE_P(Walls, Loaded, testing::Values(Isolation::Best, Isolation::NoNamespaces),
                         [](const auto& info) {
                           return info.param == Isolation::Best ? "Namespaces" : "NoNamespaces";
                         });

TEST_P(Loaded, RunsWordsAfterWords) {
  ASSERT_TRUE(compiler_);
  const auto version = run({clang_, "--version"});
  ASSERT_TRUE(version);
  EXPECT_EQ(version->exit_code, 0);
  EXPECT_NE(version->output.find("clang version"), std::string::npos) << version->output;
  const auto wrong = run({clang_, "no such file.cu"});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->exit_code, 1);
  EXPECT_NE(wrong->output.find("no such file.cu"), std::string::npos) << wrong->output;
  const auto other = shell("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->exit_code, 3);
  EXPECT_EQ(other->output, "out\nerr\n");
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

// Only what is asked for reaches a program, nothing of the process that it is a fork of.
TEST_P(Loaded, InheritsNothing) {
  const auto environment = run({"/usr/bin/env"});
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->output, "PATH=/usr/bin:/bin\nTMPDIR=" + folder_.path().string() + "\n");
  const auto open = shell("for n in 3 4 5 6 7 8 9; do (: >&$n) 2>/dev/null && echo $n; done; exit 0");
  ASSERT_TRUE(open);
  EXPECT_EQ(open->output, "");
}

TEST_P(Loaded, LeavesNothingBehind) {
  EXPECT_FALSE(shell("sleep 100 & exit 0"));
  EXPECT_FALSE(shell("exit 0"));  // the sandbox has gone with it
}

TEST_P(Loaded, CannotReachTheLoadedProcess) {
  EXPECT_FALSE(shell("kill -STOP $PPID; exit 0"));
  const auto outcome = compiler_->finish();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->end, End::ForbiddenCall) << outcome->sentence();
}

TEST_P(Loaded, SaysWhatIsTooLong) {
  EXPECT_FALSE(shell("head -c 200000 /dev/urandom"));
  EXPECT_FALSE(shell("kill -SEGV $$"));
}

// What is no program that can be preloaded into ends at once.
TEST_P(Loaded, NeedsAProgramThatTakesIt) {
  Job job;
  job.readable = system_folders();
  job.writable = {folder_.path()};
  job.folder = folder_.path();
  job.may_start_programs = true;
  job.isolation = GetParam();
  auto missing = LoadedCompiler::start(job, folder_.path() / "clang++");
  if (missing) EXPECT_FALSE(missing->run({clang_, "--version"}, {}, folder_.path()));
}

}  // namespace
}  // namespace warpwise::lab::sandbox
