// Several runs in one sandbox: each begins as if it were the first one.
#include "lab/sandbox/series.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace warpwise::lab::sandbox {
namespace {

class Runs : public testing::TestWithParam<Isolation> {
 protected:
  static Job job(std::vector<std::string> attempt) {
    Job job;
    job.command = {WARPWISE_ATTEMPTS};
    job.command.insert(job.command.end(), attempt.begin(), attempt.end());
    job.folder = std::filesystem::path(WARPWISE_ATTEMPTS).parent_path();
    job.readable = system_folders();
    job.readable.push_back(WARPWISE_ATTEMPTS);
    job.descriptors = {Series::kFirstNumber};
    job.isolation = GetParam();
    job.limits.wall_seconds = 60;
    job.limits.tasks = 8;
    return job;
  }
  // `said`: what the run wrote to its descriptor.
  Outcome run(const Job& job, std::string* said = nullptr) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    auto started = series_.start(job, {ends[1]});
    EXPECT_TRUE(started.ok()) << started.error().message;
    close(ends[1]);
    auto outcome = series_.wait();
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    char text[64];
    const ssize_t n = read(ends[0], text, sizeof text);  // ends: the other end is closed everywhere
    if (said) said->assign(text, size_t(std::max<ssize_t>(n, 0)));
    close(ends[0]);
    return outcome.ok() ? outcome.value() : Outcome{};
  }
  Series series_;
};

INSTANTIATE_TEST_SUITE_P(Walls, Runs, testing::Values(Isolation::Best, Isolation::NoNamespaces), [](const auto& info) {
  return info.param == Isolation::Best ? "Namespaces" : "NoNamespaces";
});

TEST_P(Runs, HaveDescriptorsOfTheirOwn) {
  for (int i = 0; i < 3; ++i) {
    std::string said;
    const Outcome outcome = run(job({"inherited", std::to_string(Series::kFirstNumber)}), &said);
    EXPECT_TRUE(outcome.ok()) << outcome.sentence();
    EXPECT_EQ(said, "hello");
    EXPECT_EQ(outcome.stands, outcome.namespaces);
  }
}

TEST_P(Runs, LeaveNothingBehind) {
  Job traces = job({"traces"});
  traces.may_start_programs = true;
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = run(traces);
    EXPECT_EQ(outcome.sentence(), "ended well") << "run " << i;
    EXPECT_EQ(outcome.output, "looked\n") << "run " << i;
  }
}

TEST_P(Runs, HaveAllOfTheirLimits) {
  Job burning = job({"burn", "400"});
  burning.limits.processor_seconds = 1;
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = run(burning);
    EXPECT_EQ(outcome.sentence(), "ended well") << "run " << i;
    EXPECT_GE(outcome.processor_seconds, 0.4);
    EXPECT_LT(outcome.processor_seconds, 0.9) << "run " << i;
  }
  Job short_of_time = job({"spin"});
  short_of_time.limits.processor_seconds = 0.3;
  EXPECT_EQ(run(short_of_time).end, End::OutOfProcessorTime);
}

TEST_P(Runs, GoOnBehindOneThatIsEnded) {
  EXPECT_TRUE(run(job({"well"})).ok());
  const Outcome forbidden = run(job({"kill-parent"}));
  EXPECT_EQ(forbidden.end, End::ForbiddenCall);
  EXPECT_FALSE(forbidden.stands);
  const Outcome after = run(job({"well"}));
  EXPECT_EQ(after.output, "well\n");
  EXPECT_TRUE(after.refused.empty());
  EXPECT_EQ(run(job({"abort"})).code, 6);
  EXPECT_EQ(run(job({"code", "3"})).code, 3);
}

TEST_P(Runs, HaveNoFolderToWriteInto) {
  Job writes = job({"well"});
  writes.writable = {"/tmp"};
  EXPECT_EQ(series_.start(writes, {0}).error().code, "X0001");
}

TEST_P(Runs, CanBeCancelled) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_TRUE(series_.start(job({"sleep"}), {ends[1]}).ok());
  series_.cancel();
  const auto outcome = series_.wait();
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->end, End::Cancelled);
  close(ends[0]), close(ends[1]);
  EXPECT_TRUE(run(job({"well"})).ok());
}

}  // namespace
}  // namespace warpwise::lab::sandbox
