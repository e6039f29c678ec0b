#include "lab/judge/judging_child.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace warpwise::lab {
namespace {

// Trials without arrays: what they come to is the test's own.
class JudgingChild : public testing::Test {
 protected:
  JudgingChild() : trials_(3) {
    for (Trial& trial : trials_) trial.spec = &spec_;
  }

  Result<Finished> run(const RunTrial& run_trial, const TrialEnded& goes_on) {
    return run_in_child(
        trials_, [] { return Result<void>(); }, run_trial, [](const TrialResult&) { return true; }, 60, goes_on);
  }
  size_t number_of(const Trial& trial) const { return size_t(&trial - trials_.data()); }

  CaseSpec spec_;
  std::vector<Trial> trials_;
};

// The second trial would take a minute: the first decides, and the child does not begin it.
TEST_F(JudgingChild, EndsWhenAResultDecides) {
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

TEST_F(JudgingChild, GoesOnOtherwise) {
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

}  // namespace
}  // namespace warpwise::lab
