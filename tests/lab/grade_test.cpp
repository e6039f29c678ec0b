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

TEST(Reports, survive_strange_names) {
  Graded g{.person = "=cmd|'/C calc'!A0",
           .problem = "puzzles/map",
           .file = "a,\"b\".cu",
           .judged = true,
           .verdict = Verdict::WrongValue,
           .message = "<b>&\x01\"",
           .similar_to = {}};
  const std::string csv = grades_to_csv({g});
  EXPECT_NE(csv.find("'=cmd"), std::string::npos);
  EXPECT_NE(csv.find("\"a,\"\"b\"\".cu\""), std::string::npos);
  for (const std::string& text : {grades_to_junit({g}), grades_to_html({g}, "<i>")}) {
    EXPECT_NE(text.find("&lt;b&gt;&amp;&quot;"), std::string::npos) << text;
    EXPECT_EQ(text.find('\x01'), std::string::npos);
    EXPECT_EQ(text.find("<i>"), std::string::npos);
  }
  EXPECT_NE(grades_to_junit({g}).find("<failure message=\"wrong value\">"), std::string::npos);
}

TEST(Reports, of_several_files_the_accepted_one_counts) {
  Graded refused{.person = "ada",
                 .problem = "p",
                 .file = "1.cu",
                 .judged = true,
                 .verdict = Verdict::Race,
                 .message = "",
                 .similar_to = {}};
  Graded accepted = refused;
  accepted.verdict = Verdict::Accepted;
  for (const auto& grades : {std::vector{refused, accepted}, std::vector{accepted, refused}})
    EXPECT_NE(grades_to_html(grades, "t").find("1 of 1"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::lab
