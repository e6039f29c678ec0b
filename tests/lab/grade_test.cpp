// Grading: which sources are alike, and reports that other programs can read whatever people call themselves.
#include "lab/grade/grade.h"

#include <gtest/gtest.h>

#include "lab/grade/similarity.h"

namespace warpwise::lab {
namespace {

constexpr const char* kLong = R"(
__global__ void sum(float* out, const float* a, int n) {
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  part[t] = i < n ? a[i] : 0.0f;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
})";

std::string with(std::string text, const std::string& before, const std::string& after) {
  for (size_t at = 0; (at = text.find(before, at)) != text.npos; at += after.size())
    text.replace(at, before.size(), after);
  return text;
}

double share(const std::string& a, const std::string& b, const std::string& common = "") {
  auto pairs = find_similar({fingerprints_of(a), fingerprints_of(b)}, fingerprints_of(common));
  return pairs.empty() ? 0 : pairs[0].share;
}

TEST(Similarity, comments_and_spaces_hide_nothing) {
  EXPECT_EQ(share(kLong, kLong), 1);
  EXPECT_EQ(share(kLong, "// my own work\n" + with(with(kLong, ";", " ;\n"), "{", "{ /* here */")), 1);
}

TEST(Similarity, one_changed_line_is_still_a_copy) { EXPECT_GE(share(kLong, with(kLong, "0.0f", "0")), kAlike); }

TEST(Similarity, own_names_all_over_are_ones_own) {
  EXPECT_EQ(share(kLong, with(with(with(with(kLong, "part", "s"), "step", "k"), " t ", " lane "), "i < n", "n > i")),
            0);
}

TEST(Similarity, what_the_class_was_given_does_not_count) {
  EXPECT_EQ(share(kLong, kLong, kLong), 0);
  EXPECT_EQ(share("int a = b + c;", "int a = b + c;"), 0);  // too short to say anything
}

// Lines of passages that both have, and that the class was not given.
TEST(Similarity, shared_lines_are_marked) {
  const std::string mine = "int own = 1 + 2 + 3;\n" + std::string(kLong) + "\n";
  const std::vector<bool> lines = shared_lines(mine, kLong, {});
  ASSERT_EQ(lines.size(), 14u);
  EXPECT_FALSE(lines[0]) << "my own line";
  for (size_t i = 2; i < 13; ++i) EXPECT_TRUE(lines[i]) << i;
  EXPECT_FALSE(lines[13]) << "the end of the file";
  for (bool line : shared_lines(mine, kLong, all_fingerprints_of(kLong))) EXPECT_FALSE(line);
}

Grades report_of(std::vector<Graded> files) {
  Grades grades;
  for (const Graded& g : files) grades.worth[g.problem] = g.of;
  grades.files = std::move(files);
  grades.title = "class", grades.version = "9.9", grades.device = "h100", grades.at = 0;
  return grades;
}

TEST(Reports, survive_strange_names) {
  Graded g;
  g.person = "=cmd|'/C calc'!A0", g.problem = "puzzles/map", g.file = "a,\"b\".cu", g.judged = g.counts = true;
  g.verdict = Verdict::WrongValue, g.message = g.report = g.source = "<b>&\x01\"", g.of = 10;
  Grades grades = report_of({g});
  grades.title = "<i>";
  const std::string csv = grades_to_csv(grades);
  EXPECT_NE(csv.find("'=cmd"), std::string::npos);
  EXPECT_NE(csv.find("\"a,\"\"b\"\".cu\""), std::string::npos);
  for (const std::string& text : {grades_to_junit(grades), grades_to_html(grades)}) {
    EXPECT_NE(text.find("&lt;b&gt;&amp;?&quot;"), std::string::npos) << text;
    EXPECT_EQ(text.find('\x01'), std::string::npos);
    EXPECT_EQ(text.find("<i>"), std::string::npos);
    EXPECT_EQ(text.find("<b>"), std::string::npos);
  }
  EXPECT_NE(grades_to_junit(grades).find("<failure message=\"wrong value\">"), std::string::npos);
}

TEST(Reports, say_what_a_class_earned_and_lead_to_each_verdict) {
  Graded ada;
  ada.person = "ada", ada.problem = "p", ada.file = "ada/p.cu", ada.judged = ada.counts = true, ada.seed = 42;
  ada.verdict = Verdict::OverBudget, ada.points = 7.5, ada.of = 10, ada.days_late = 2;
  ada.cases = {{"small", true, true}, {"large", true, false}};
  ada.report = "p: over budget\n", ada.source = "one\ntwo\n", ada.similar_to = {"bob/p.cu"};
  Graded bob = ada;
  bob.person = "bob", bob.file = "bob/p.cu", bob.points = 10, bob.days_late = 0, bob.similar_to = {"ada/p.cu"};
  Grades grades = report_of({ada, bob});
  grades.worth["q"] = 5;
  grades.alike.push_back({0, 1, 0.9, {true, false}, {true, false}});
  const std::string html = grades_to_html(grades);
  for (const char* part :
       {"Graded 1970-01-01 00:00 UTC by Warpwise 9.9, for the device h100.", "<th>p (10)</th><th>q (5)</th>",
        "<td>7.5 <a class=\"no\" href=\"#file-0\">over budget</a> 2 days late", "<td>7.5 of 15</td>", "id=\"file-0\"",
        "2 of 2 cases right, 1 within the budgets, 2 days late", "submit --seed=42 --device=h100 p FILE",
        "large (over budget)", "<pre>p: over budget\n</pre>", "ada and bob: 90 %", "<mark>one</mark>\ntwo\n"})
    EXPECT_NE(html.find(part), std::string::npos) << part << "\n" << html;
  EXPECT_NE(grades_to_csv(grades).find("ada,p,ada/p.cu,over-budget,0,1,0.000,bob/p.cu,,2,2,2,7.50,10.00,1,42\r\n"),
            std::string::npos)
      << grades_to_csv(grades);
  const std::string text = grades_to_text(grades, false);
  EXPECT_NE(text.find("ada     p          7.5 of 10  over budget (2 days late) (like bob/p.cu)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("bob     10 of 15 points\n"), std::string::npos) << text;
}

TEST(Reports, of_several_files_the_one_with_the_most_points_counts) {
  Graded first;
  first.person = "ada", first.problem = "p", first.file = "1.cu", first.judged = true, first.verdict = Verdict::Race;
  first.of = 10, first.points = 2;
  Graded best = first;
  best.verdict = Verdict::Accepted, best.points = 10, best.counts = true;
  for (const auto& files : {std::vector{first, best}, std::vector{best, first}}) {
    const Grades grades = report_of(files);
    EXPECT_NE(grades_to_html(grades).find("<td>1 of 1</td><td>10 of 10</td>"), std::string::npos);
    EXPECT_EQ(points_of_people(grades)[0].points, 10);
  }
}

}  // namespace
}  // namespace warpwise::lab
