// Guilty and innocent programs, checked as a user checks them (checked_programs.h). programs/not_yet.txt names those
// that the checkers judge wrongly, with the reason; one that they judge rightly may not stay in it.
#include <gtest/gtest.h>

#include <set>

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
  EXPECT_EQ(wrong_words(expected, judgement.output), "") << judgement.output;
}

// Half of each launch's blocks run in code of the quick tier, the others in optimised code: what the checkers remember
// of the former has to mean the same beside the latter.
TEST_P(CheckedProgram, is_judged_the_same_across_tiers) {
  const Program& program = GetParam();
  if (not_yet().contains(program.folder() + "/" + program.path.stem().string())) GTEST_SKIP() << "not yet";
  const Expected expected = expectations_of(program);
  const Judgement judgement = judge(program, expected, {"--tiers=takeover"});
  EXPECT_EQ(judgement.found, show(expected.lines)) << judgement.output;
}

INSTANTIATE_TEST_SUITE_P(All, CheckedProgram, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name(); });

// Each rule has at least three guilty programs and three innocent neighbours. Neighbours are of one family: what stands
// before _guilty or _innocent in their names.
TEST(CheckedPrograms, cover_the_rules) {
  std::map<std::string, int> guilty, innocent;            // by rule, by family
  std::map<std::string, std::set<std::string>> families;  // of a rule
  for (const Program& program : all_programs()) {
    if (program.by_nvcc) continue;
    const Expected expected = expectations_of(program);
    const std::string stem = program.path.stem().string();
    const std::string family =
        program.folder() + "/" + stem.substr(0, stem.find(expected.clean ? "_innocent" : "_guilty"));
    for (const auto& [code, lines] : expected.lines) ++guilty[code], families[code].insert(family);
    innocent[family] += expected.clean;
  }
  const auto waiting = not_yet();
  for (const Rule& rule : all_rules()) {
    const std::string code(rule.code);
    if (waiting.contains(code)) continue;
    int neighbours = 0;
    for (const std::string& family : families[code]) neighbours += innocent[family];
    EXPECT_GE(guilty[code], 3) << "guilty programs of " << code << ", " << rule.title;
    EXPECT_GE(neighbours, 3) << "innocent neighbours of " << code << ", " << rule.title;
  }
}

}  // namespace
}  // namespace warpwise::check
