// A judgement as text (lab/report/judgement_text.h).
#include "lab/report/judgement_text.h"

#include <gtest/gtest.h>

namespace warpwise::lab {
namespace {

TEST(JudgementText, shows_control_characters_of_a_submission_as_text) {
  Problem problem;
  problem.slug = "vector-add";
  Judgement judgement;
  judgement.verdict = Verdict::Accepted;
  judgement.printed =
      "\033[2J\033]0;accepted\007\tn\xc2\x9b"
      "1A é\nlast";
  const std::string text = to_text(problem, judgement, {});
  EXPECT_NE(text.find("    \\x1b[2J\\x1b]0;accepted\\x07\tn\\x9b1A é\n    last\n"), text.npos) << text;
  EXPECT_EQ(text.find('\033'), text.npos);
}

// C0407 alone has no step of its own: a loop and a wait are different verdicts, and waits differ.
TEST(JudgementText, has_a_next_step_for_each_rule_that_can_refuse) {
  size_t steps = 0;
  for (const Rule& rule : all_rules()) {
    const bool refuses =
        rule.severity == Severity::Error && rule.checker != Checker::Api && rule.checker != Checker::Numbers;
    const bool wanted = (refuses && rule.code != "C0407") || rule.code == "R0301";
    EXPECT_EQ(!next_step_for(rule.code).empty(), wanted) << rule.code;
    steps += wanted;
  }
  EXPECT_GT(steps, 30u);
  EXPECT_EQ(next_step_for("C0407", "last seen"), "");
  EXPECT_NE(next_step_for("C0407", "warp function").find("every lane that its mask names"), std::string_view::npos);
  EXPECT_EQ(next_step_for("C0407", "warp function").find("__syncthreads"), std::string_view::npos);
}

TEST(JudgementText, is_as_wide_as_the_terminal) {
  Problem problem;
  problem.slug = "map";
  Judgement judgement;
  judgement.verdict = Verdict::OverBudget;
  judgement.refusal.emplace();
  judgement.refusal->notes = {"a sentence with élève in it that is longer than the forty columns of the terminal"};
  const std::string text = to_text(problem, judgement, {.width = 40});
  EXPECT_NE(text.find("  note     a sentence with élève in it\n"
                      "           that is longer than the forty\n"
                      "           columns of the terminal\n"),
            text.npos)
      << text;
  const std::string unbroken = "  note     " + judgement.refusal->notes[0] + "\n";
  for (size_t width : {0, 20}) EXPECT_NE(to_text(problem, judgement, {.width = width}).find(unbroken), text.npos);
}

TEST(JudgementText, prefers_the_step_of_the_finding_to_that_of_the_verdict) {
  Problem problem;
  Judgement judgement;
  judgement.verdict = Verdict::OutOfBounds;
  judgement.refusal.emplace();
  judgement.refusal->findings.push_back({.code = "C0108", .message = "a host pointer"});
  judgement.warnings = {"k.cu:3: variable 'x' is uninitialized when used here (says the compiler)"};
  const std::string text = to_text(problem, judgement, {});
  EXPECT_NE(text.find("a kernel cannot follow host pointers"), text.npos) << text;
  EXPECT_NE(text.find("(`warpwise explain C0108`)"), text.npos) << text;
  EXPECT_EQ(text.find("guard"), text.npos) << text;
  EXPECT_LT(text.find("  warning  k.cu:3:"), text.find("  next ")) << text;
  judgement.refusal->findings[0].code = "C0407";
  EXPECT_EQ(next_step(judgement), std::string(next_step_of(Verdict::OutOfBounds)) + " (`warpwise explain C0407`)");
}

}  // namespace
}  // namespace warpwise::lab
