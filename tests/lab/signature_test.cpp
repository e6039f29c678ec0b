// The signature that a source gives an entry, and the entry under another name.
#include "lab/judge/signature.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/sanitized.h"
#include "lab/judge/judge.h"

namespace warpwise::lab {
namespace {

Problem problem() {
  Problem p;
  p.kind = Kind::Solve;
  p.entry = "solve";
  p.parameters.resize(1);
  p.parameters[0].name = "N";
  p.parameters[0].spelling = "int";
  return p;
}

TEST(Signature, finds_the_entry_under_another_name) {
  const OtherName other =
      entry_by_another_name(problem(), "// run(int N) {\nvoid g(float x) {}\nvoid run(int N) { g(1); }\n");
  EXPECT_EQ(other.name, "run");
  EXPECT_EQ(other.line, 3u);
  EXPECT_EQ(entry_by_another_name(problem(), "void run(int N);\nvoid g(float x) {}\n").name, "");
}

// Largest sources took minutes: every function was looked for from the beginning of the file.
TEST(Signature, reads_a_file_of_many_functions_at_once) {
  std::string source;
  for (int i = 0; i < 25000; ++i) source += fmt::format("inline float f{}(float x) {{ return x; }}\n", i);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(entry_by_another_name(problem(), source).name, "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10) * kSlowdown);
}

}  // namespace
}  // namespace warpwise::lab
