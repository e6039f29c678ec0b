// Guilty and innocent programs, checked as a user checks them (checked_programs.h). programs/not_yet.txt names those that the
// checkers judge wrongly, with the reason; one that they judge rightly may not stay in it.
#include <gtest/gtest.h>

#include "base/finding.h"
#include "checked_programs.h"

namespace warpwise::check {
namespace {

class CheckedProgram : public testing::TestWithParam<Program> {};

TEST_P(CheckedProgram, is_judged_rightly) {
  const Program& program = GetParam();
  Expected expected = expectations_of(program);
  ASSERT_NE(expected.clean, !expected.lines.empty()) << program.path << " says neither `// clean` nor `// finds CODE`";
  const Judgement judgement = judge(program, expected);
  const std::string wanted = show(expected.lines);
  static const std::map<std::string, std::string> waiting = not_yet();
  if (auto why = waiting.find(program.folder() + "/" + program.path.stem().string()); why != waiting.end()) {
    EXPECT_NE(judgement.found, wanted) << "it is judged rightly now: take it out of not_yet.txt";
    GTEST_SKIP() << "not yet: " << why->second;
  }
  EXPECT_EQ(judgement.found, wanted) << judgement.output;
}

INSTANTIATE_TEST_SUITE_P(All, CheckedProgram, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name(); });

// Each rule has at least three guilty programs, each checker innocent ones: an innocent program keeps all rules.
TEST(CheckedPrograms, cover_the_rules) {
  std::map<std::string, int> guilty, innocent;
  for (const Program& program : programs()) {
    Expected expected = expectations_of(program);
    for (const auto& [code, lines] : expected.lines) ++guilty[code];
    innocent[program.folder()] += expected.clean;
  }
  auto waiting = not_yet();
  for (const Rule& rule : all_rules())
    if (!waiting.contains(std::string(rule.code))) EXPECT_GE(guilty[std::string(rule.code)], 3) << rule.code << " " << rule.title;
  for (const std::string& folder : folders()) EXPECT_GE(innocent[folder], 3) << folder;
}

}  // namespace
}  // namespace warpwise::check
