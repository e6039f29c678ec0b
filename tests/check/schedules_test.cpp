// The verdict does not depend on the order in which blocks and threads run: three shuffled schedules say what the plain
// one says, of every program that the checkers are tried on, and so do four host threads.
#include <gtest/gtest.h>

#include "checked_programs.h"

namespace warpwise::check {
namespace {

class ShuffledProgram : public testing::TestWithParam<Program> {};

TEST_P(ShuffledProgram, is_judged_as_in_order) {
  const Program& program = GetParam();
  if (not_yet().contains(program.folder() + "/" + program.path.stem().string())) GTEST_SKIP() << "not yet";
  const Expected expected = expectations_of(program);
  for (const char* seed : {"1", "2", "3"}) {
    const Judgement judgement = judge(program, expected, {std::string("--schedule=shuffle:") + seed});
    EXPECT_EQ(judgement.found, show(expected.lines)) << "seed " << seed << "\n" << judgement.output;
  }
}

TEST_P(ShuffledProgram, is_judged_alike_on_four_host_threads) {
  const Program& program = GetParam();
  if (not_yet().contains(program.folder() + "/" + program.path.stem().string())) GTEST_SKIP() << "not yet";
  const Expected expected = expectations_of(program);
  const Judgement judgement = judge(program, expected, {"--threads=4"});
  EXPECT_EQ(judgement.found, show(expected.lines)) << judgement.output;
}

INSTANTIATE_TEST_SUITE_P(All, ShuffledProgram, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name(); });

}  // namespace
}  // namespace warpwise::check
