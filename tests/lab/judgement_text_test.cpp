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

}  // namespace
}  // namespace warpwise::lab
