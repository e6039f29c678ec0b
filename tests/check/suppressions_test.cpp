// Which findings a suppression, a baseline and --fail-on leave.
#include "check/report/suppressions.h"

#include <gtest/gtest.h>

#include "check/report/baseline.h"
#include "report_example.h"

namespace warpwise::check::report {
namespace {

bool suppresses(const char* pattern, const Finding& finding) {
  auto parsed = parse_suppression(pattern, "why");
  EXPECT_TRUE(parsed.ok()) << pattern;
  return parsed.ok() && matches(*parsed, finding);
}

TEST(Suppressions, match_code_file_and_line) {
  Finding race = race_example();
  race.parties[0].code.frames[0].file = "/home/me/project/src/sum.cu";
  for (const char* yes : {"C0201", "race-in-block", "*", "C0201:sum.cu", "C0201:src/sum.cu", "C0201:sum.cu:12",
                          "*:src/*:12", "C0201:/home/me/project/src/sum.cu", "C0201:*.cu"})
    EXPECT_TRUE(suppresses(yes, race)) << yes;
  for (const char* no : {"C0202", "leak", "C0201:um.cu", "C0201:sum.cu:13", "C0201:other.cu", "*:sum.cu:120"})
    EXPECT_FALSE(suppresses(no, race)) << no;
  EXPECT_TRUE(suppresses("C0201:sum.cu:14", race)) << "the other party's line";
}

TEST(Suppressions, of_a_file_have_reasons) {
  auto parsed =
      parse_suppressions("# comment\n\nC0201:sum.cu:12   the flag is monotone  \nleak it ends anyway\n", "s.txt");
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed->size(), 2u);
  EXPECT_EQ((*parsed)[0].reason, "the flag is monotone");
  EXPECT_EQ((*parsed)[1].code, "C0501");

  auto no_reason = parse_suppressions("C0201\n", "s.txt");
  ASSERT_FALSE(no_reason.ok());
  EXPECT_EQ(no_reason.error().code, "U0011");
  EXPECT_NE(no_reason.error().message.find("s.txt:1"), std::string::npos);
  auto misspelt = parse_suppression("race-in-blok", "");
  ASSERT_FALSE(misspelt.ok());
  EXPECT_NE(misspelt.error().message.find("race-in-block"), std::string::npos) << "a suggestion";
  EXPECT_FALSE(parse_suppression("C0201:a.cu:x", "").ok());
}

TEST(Suppressions, leave_the_rest_and_tell_of_the_useless) {
  Report report = example();
  std::vector<Suppression> list = {*parse_suppression("C0201", "known"), *parse_suppression("C0301", "never")};
  apply_suppressions(list, report);
  EXPECT_EQ(count(report), (SeverityCounts{1, 1, 0}));
  EXPECT_EQ(report.findings[0].reason, "known");
  EXPECT_EQ(report.unused_suppressions, std::vector<std::string>{"C0301"});
}

TEST(Baseline, knows_its_findings_again) {
  Report before = example(), after = example();
  after.findings[0].finding.parties[0].code.frames[0].function = "other";
  SourceFiles sources;
  after.findings[0].fingerprint = fingerprint_of(after.findings[0].finding, sources);
  auto baseline = parse_baseline(baseline_of(only(before)));
  ASSERT_TRUE(baseline.ok());
  apply_baseline(*baseline, after);
  EXPECT_FALSE(after.findings[0].known) << "another function is another finding";
  EXPECT_TRUE(after.findings[1].known);
  EXPECT_EQ(count(after), (SeverityCounts{1, 0, 0}));
  EXPECT_EQ(parse_baseline("[]").error().code, "U0010");
  EXPECT_EQ(parse_baseline("{\"version\": 9, \"findings\": []}").error().code, "U0010");
}

TEST(Verdict, is_as_bad_as_it_is) {
  Report report = example();
  EXPECT_EQ(verdict(report, FailOn::Error), Verdict::Findings);
  std::vector<Suppression> errors = {*parse_suppression("C0201", ""), *parse_suppression("C0512", "")};
  apply_suppressions(errors, report);
  EXPECT_EQ(verdict(report, FailOn::Error), Verdict::Clean) << "a leak warns";
  EXPECT_EQ(verdict(report, FailOn::Warning), Verdict::Findings);
  EXPECT_EQ(verdict(report, FailOn::Never), Verdict::Clean);
  report.not_checked = {"shared memory"};
  EXPECT_EQ(verdict(report, FailOn::Error), Verdict::Incomplete) << "never \"clean\" when something was not checked";
  report.end.exit_code = 3;
  EXPECT_EQ(verdict(report, FailOn::Error), Verdict::ProgramFailed);
  report.dropped = 1;
  EXPECT_EQ(verdict(report, FailOn::Error), Verdict::Findings);
}

}  // namespace
}  // namespace warpwise::check::report
