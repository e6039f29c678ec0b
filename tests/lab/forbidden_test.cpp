// What a problem forbids is found in code, and not in comments or strings.
#include <gtest/gtest.h>

#include "lab/judge/judge.h"

namespace warpwise::lab {
namespace {

std::optional<std::string> found(const std::string& source) {
  Problem problem;
  problem.forbidden.names = {"thrust", "__shfl_down_sync"};
  problem.forbidden.includes = {"cub/"};
  problem.forbidden.why = "do it yourself";
  return find_forbidden(problem, source);
}

TEST(Forbidden, names_are_whole_words) {
  EXPECT_EQ(found("int a;\nthrust::sort(a);"), "`thrust` (line 2): do it yourself");
  EXPECT_TRUE(found("x = __shfl_down_sync(m, x, 1);"));
  EXPECT_FALSE(found("int thrusters = 1, my_thrust = 2;"));
}

TEST(Forbidden, headers_by_how_they_begin) {
  EXPECT_EQ(found("\n\n#include <cub/cub.cuh>"), "`#include <cub/` (line 3): do it yourself");
  EXPECT_TRUE(found("#include \"cub/device.cuh\""));
  EXPECT_FALSE(found("#include <cubism.h>"));
}

TEST(Forbidden, comments_and_strings_may_speak_of_it) {
  EXPECT_FALSE(found("// thrust\nint a; /* thrust\n thrust */ const char* s = \"thrust \\\" thrust\";"));
  EXPECT_EQ(found("/* one\n two */ thrust"), "`thrust` (line 2): do it yourself");
}

TEST(Forbidden, nothing_unless_the_problem_says_so) { EXPECT_FALSE(find_forbidden(Problem(), "thrust")); }

}  // namespace
}  // namespace warpwise::lab
