// problem.toml: what is read, and the mistakes that are named with their lines.
#include "lab/problem/problem.h"

#include <gtest/gtest.h>

#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

constexpr const char* kGood = R"--(format = 1
title = "Rows"
number = 7
level = "easy"
kind = "kernel"
chapter = "grids"
place = 3
idea = "an idea"
entry = "rows"

[[parameter]]
name = "out"
type = "float*"
role = "output"
count = "rows * padded"

[[parameter]]
name = "a"
type = "const int*"
role = "input"
count = "rows * cols"

[[parameter]]
name = "rows"
type = "int"
role = "size"

[[parameter]]
name = "scale"
type = "float"
role = "scalar"

[derived]
padded = "cols + 1"
twice = "2 * padded"

[[case]]
name = "small"
sizes = { rows = 3, cols = [4, 6] }
scalars = { scale = 2 }
grid = ["ceil_div(cols, block_x)", "rows"]
block = [32]
sample = true
budget = { global_reads_per_thread = 5 }

[tolerance]
ulp = 2
relative = 1e-6

[budget]
global_reads_per_thread = 1
least_shared_writes_total = "rows"

[shrink]
rows = 1
)--";

class ProblemFile : public testing::Test {
 protected:
  ProblemFile() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {}
  Result<Problem> load(std::string_view text) {
    EXPECT_TRUE(toolchain::write_file(folder_.path() / "problem.toml", text).ok());
    return load_problem(folder_.path(), "rows");
  }
  // The message for the good file with `before` replaced by `after`, without the path.
  std::string mistake(const std::string& before, const std::string& after) {
    std::string text = kGood;
    const size_t at = text.find(before);
    EXPECT_NE(at, text.npos) << before;
    text.replace(at, before.size(), after);
    auto problem = load(text);
    EXPECT_FALSE(problem.ok()) << after;
    if (problem.ok()) return "";
    EXPECT_EQ(problem.error().code, "L0001");
    const std::string message = problem.error().message;
    return message.substr(message.find("problem.toml"));
  }

  toolchain::TemporaryFolder folder_;
};

TEST_F(ProblemFile, is_read_whole) {
  auto problem = load(kGood);
  ASSERT_TRUE(problem.ok()) << problem.error().message;
  const Problem& p = *problem;
  EXPECT_EQ(p.title, "Rows");
  EXPECT_EQ(p.level, Level::Easy);
  EXPECT_EQ(p.kind, Kind::Kernel);
  ASSERT_EQ(p.parameters.size(), 4u);
  EXPECT_EQ(p.parameters[1].type, ElementType::Int32);
  EXPECT_EQ(p.parameters[3].role, Role::Scalar);
  EXPECT_EQ(p.signature(), "__global__ void rows(float* out, const int* a, int rows, float scale)");
  EXPECT_EQ(p.tolerance.ulp, 2);
  ASSERT_EQ(p.budget.size(), 2u);
  EXPECT_EQ(p.cases[0].sizes.at("cols").high, 6);
  auto shape = shape_of(p, p.cases[0], {{"rows", 3}, {"cols", 40}});
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ(shape->names.at("twice"), 82);
  EXPECT_EQ(shape->launch.grid, (std::array<uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(shape->launch.block, (std::array<uint32_t, 3>{32, 1, 1}));
}

TEST(ProblemTypes, are_split_into_their_parts) {
  const TypeParts array = split_type("const unsigned int *");
  EXPECT_TRUE(array.constant && array.pointer);
  EXPECT_EQ(array.element, "uint32_t");
  const TypeParts number = split_type("float");
  EXPECT_FALSE(number.constant || number.pointer);
  EXPECT_EQ(number.element, "float");
  EXPECT_EQ(split_type("matrix*").element, "matrix");
}

TEST_F(ProblemFile, names_mistakes_with_their_lines) {
  EXPECT_EQ(mistake("title = \"Rows\"", "titel = \"Rows\"").substr(0, 14), "problem.toml:1");
  EXPECT_EQ(mistake("sample = true", "samples = true"),
            "problem.toml:43: [[case]] `small`: there is no key `samples`; did you mean `sample`?");
  EXPECT_EQ(mistake("number = 7", "number = \"7\""), "problem.toml:3: `number` takes a whole number");
  EXPECT_EQ(mistake("level = \"easy\"", "level = \"simple\""),
            "problem.toml:4: `simple` is not a level: puzzle, easy, medium, hard are");
  EXPECT_NE(mistake("role = \"output\"", "role = \"result\"").find("`result` is not a role"), std::string::npos);
  EXPECT_NE(mistake("const int*", "const complex*").find("`const complex*` is not a type"), std::string::npos);
  EXPECT_NE(mistake("type = \"float*\"", "type = \"const float*\"").find("cannot be `const`"), std::string::npos);
  EXPECT_EQ(mistake("count = \"rows * cols\"", "count = \"rows * columns\""),
            "problem.toml:37: [[case]] `small`: `rows * columns`: there is no size `columns`");
  EXPECT_NE(mistake("global_reads_per_thread = 1", "global_read_per_thread = 1")
                .find("did you mean `global_reads_per_thread`?"),
            std::string::npos);
  EXPECT_NE(mistake("cols = [4, 6]", "cols = [6, 4]").find("takes a whole number, or the smallest and the largest"),
            std::string::npos);
  EXPECT_NE(mistake("block = [32]", "block = [2048]").find("which no launch can have"), std::string::npos);
  EXPECT_NE(mistake("block = [32]", "block = [32, 64]").find("a block of 2048 threads"), std::string::npos);
  EXPECT_NE(mistake("rows = 1\n", "height = 1\n").find("no size is called `height`"), std::string::npos);
  EXPECT_EQ(mistake("format = 1", "format = 2"), "problem.toml:1: format 2 is not known: this version reads format 1");
  EXPECT_EQ(mistake("level = \"easy\"\n", ""), "problem.toml:1: `level` is missing: puzzle, easy, medium, hard");
  EXPECT_NE(mistake("title = \"Rows\"", "title = ").find("problem.toml:2"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::lab
