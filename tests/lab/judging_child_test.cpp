#include "lab/judge/judging_child.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace warpwise::lab {
namespace {

// Trials without arrays: what they come to is the test's own.
class JudgingChildren : public testing::Test {
 protected:
  JudgingChildren() : trials_(3) {
    for (Trial& trial : trials_) trial.spec = &spec_;
  }

  ChildJob job(RunTrial run_trial) {
    return {.trials = trials_,
            .prepare = [] { return Result<void>(); },
            .run = std::move(run_trial),
            .go_on = [](const TrialResult&) { return true; },
            .seconds = 60};
  }
  Result<Finished> run(const RunTrial& run_trial, const TrialEnded& goes_on) {
    return run_in_child(job(run_trial), goes_on);
  }
  size_t number_of(const Trial& trial) const { return size_t(&trial - trials_.data()); }

  CaseSpec spec_;
  std::vector<Trial> trials_;
};

// The second trial would take a minute: the first decides, and the child does not begin it.
TEST_F(JudgingChildren, EndsWhenAResultDecides) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<size_t> seen;
  auto finished = run(
      [this](const Trial& trial, const TrialMemory&) -> Result<TrialResult> {
        if (number_of(trial) > 0) std::this_thread::sleep_for(std::chrono::seconds(60));
        return TrialResult{.ran = true};
      },
      [&](size_t i, const TrialResult& result, const TrialMemory&) {
        EXPECT_TRUE(result.ran);
        seen.push_back(i);
        return false;
      });
  ASSERT_TRUE(finished.ok()) << finished.error().message;
  EXPECT_EQ(seen, std::vector<size_t>{0});
  EXPECT_FALSE(finished->results[1].ran);
  EXPECT_FALSE(finished->timed_out);
  EXPECT_EQ(finished->signal, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(JudgingChildren, GoesOnOtherwise) {
  std::vector<size_t> seen;
  auto finished = run([](const Trial&, const TrialMemory&) -> Result<TrialResult> { return TrialResult{.ran = true}; },
                      [&](size_t i, const TrialResult&, const TrialMemory&) {
                        seen.push_back(i);
                        return true;
                      });
  ASSERT_TRUE(finished.ok()) << finished.error().message;
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2}));
  for (const TrialResult& result : finished->results) EXPECT_TRUE(result.ran);
}

// Each has its own results, whichever is waited for first; and none keeps another from learning that it is to stop.
TEST_F(JudgingChildren, RunSideBySide) {
  const auto start = std::chrono::steady_clock::now();
  auto child_that_says = [&](const char* text, const std::vector<lab::JudgingChild*>& earlier) {
    return lab::JudgingChild::start(job([text](const Trial&, const TrialMemory&) -> Result<TrialResult> {
                                      return TrialResult{.ran = true, .printed = text};
                                    }),
                                    earlier);
  };
  auto first = child_that_says("first", {});
  ASSERT_TRUE(first.ok());
  auto second = child_that_says("second", {&*first});
  ASSERT_TRUE(second.ok());
  auto of_second = second->finish();
  auto of_first = first->finish([](size_t, const TrialResult&, const TrialMemory&) { return false; });
  ASSERT_TRUE(of_first.ok() && of_second.ok());
  EXPECT_EQ(of_second->results[2].printed, "second");
  EXPECT_EQ(of_first->results[0].printed, "first");
  EXPECT_FALSE(of_first->results[1].ran);
  // One that is not waited for ends with its owner, and one whose time is over by itself.
  auto endless = [](const Trial&, const TrialMemory&) -> Result<TrialResult> {
    std::this_thread::sleep_for(std::chrono::seconds(60));
    return TrialResult{};
  };
  {
    auto forgotten = lab::JudgingChild::start(job(endless));
  }
  ChildJob late = job(endless);
  late.seconds = 0.1;
  auto over = run_in_child(late);
  ASSERT_TRUE(over.ok());
  EXPECT_TRUE(over->timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace warpwise::lab
