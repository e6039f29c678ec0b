// The runner of outside programs, on a suite of our own with one program for every verdict.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "likeness.h"
#include "suite.h"

namespace warpwise::conformance {
namespace {

namespace fs = std::filesystem;

struct Want {
  std::string verdict, reason;  // an extended regular expression
};

TEST(Conformance, EveryVerdict) {
  const std::map<std::string, Want> wants = {
      {"pass", {"pass", "^$"}},
      {"exit_code_as_it_must_be", {"pass", "^$"}},
      {"own_build", {"pass", "^$"}},
      {"lie", {"wrong", "^it says: the sum is 16$"}},
      {"fail", {"wrong", "^exit code 1 instead of 0: the sum is 15$"}},
      {"silent", {"wrong", "^it does not say `something else`: the sum is 15$"}},
      {"abort", {"crash", "^Aborted"}},
      {"spin", {"slow", "^ended after"}},
      {"ask", {"missing", "cudaImportExternalMemory"}},
      {"refused_flag", {"missing", "T0006.*-dlto"}},
      {"mistake", {"refused", "undeclared_name"}},
      {"ready", {"pass", "^$"}},
      {"differs", {"differs", "^line 2: `checksum = 158.01` instead of `checksum = 158.02`$"}},
      {"left_out", {"skipped", "^needs a second machine$"}},
  };
  fs::path out = fs::path(testing::TempDir()) / ("conformance-" + std::to_string(getpid()));
  std::string command = std::string("'" WARPWISE_CONFORMANCE "' --warpwise='" WARPWISE_PROGRAM
                                    "' --compiler=clang --patience=4 --out='") +
                        out.string() + "' '" WARPWISE_SOURCE_DIR "/tests/conformance/programs' > /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);

  std::ifstream file(out / "results.json");
  nlohmann::json rows = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(rows.is_array());
  EXPECT_EQ(rows.size(), wants.size());
  for (const auto& row : rows) {
    std::string name = row["name"];
    ASSERT_TRUE(wants.contains(name)) << name;
    EXPECT_EQ(row["verdict"], wants.at(name).verdict) << name << ": " << row["reason"];
    EXPECT_TRUE(
        std::regex_search(row["reason"].get<std::string>(), std::regex(wants.at(name).reason, std::regex::extended)))
        << name << ": " << row["reason"];
  }
  std::ifstream page(out / "results.md");
  std::string first;
  std::getline(page, first);
  EXPECT_EQ(first, "4 of 13 pass; 1 skipped, 1 differs, 2 missing, 1 refused, 1 slow, 3 wrong, 1 crash");
  fs::remove_all(out);
}

TEST(Likeness, TextMustAgreeAndNumbersNearly) {
  EXPECT_EQ(first_difference("a  1\n\nb\n", "a 1\nb", {}, 0), "");
  EXPECT_EQ(first_difference("a 1e3", "a 1000", {}, 0), "");
  EXPECT_EQ(first_difference("a 1.001", "a 1", {}, 0.01), "");
  EXPECT_EQ(first_difference("a nan", "a nan", {}, 0), "");
  EXPECT_EQ(first_difference("warpwise: a note\na", "a", {}, 0), "");
  EXPECT_EQ(first_difference("took 1 ms", "took 22 ms", {"TOOK"}, 0), "");
  EXPECT_EQ(first_difference("took 1 ms", "took 22 s", {"took"}, 0), "line 1: `took 1 ms` instead of `took 22 s`");
  EXPECT_EQ(first_difference("a 1.1", "a 1", {}, 0.01), "line 1: `a 1.1` instead of `a 1`");
  EXPECT_EQ(first_difference("a -1", "a 1", {}, 0.01), "line 1: `a -1` instead of `a 1`");
  EXPECT_EQ(first_difference("sm90", "sm80", {}, 1), "line 1: `sm90` instead of `sm80`");
  EXPECT_EQ(first_difference("a\nb", "a", {}, 0), "line 2: `b` instead of nothing");
  EXPECT_EQ(first_difference("", "a", {}, 0), "line 1: nothing instead of `a`");
}

class ListTest : public testing::Test {
 protected:
  Result<std::vector<Program>> read(const std::string& text) {
    fs::path list = fs::path(testing::TempDir()) / ("list-" + std::to_string(getpid()));
    std::ofstream(list) << text;
    auto programs = read_suite(list, "/suite");
    fs::remove(list);
    return programs;
  }
};

TEST_F(ListTest, DefaultsAreInheritedAndCanBeDropped) {
  auto programs = read(
      "[defaults]\nflags = -I ${suite}/inc\nsays = ok\n[a]\nfolder = x\nflags = -DN=1\n[b]\nsays =\nsays = done\n");
  ASSERT_TRUE(programs.ok());
  ASSERT_EQ(programs->size(), 2u);
  EXPECT_EQ((*programs)[0].flags, (std::vector<std::string>{"-I", "/suite/inc", "-DN=1"}));
  EXPECT_EQ((*programs)[0].folder, "/suite/x");
  EXPECT_EQ((*programs)[0].says, std::vector<std::string>{"ok"});
  EXPECT_EQ((*programs)[1].says, std::vector<std::string>{"done"});
}

TEST_F(ListTest, MistakesNameTheirLine) {
  auto unknown = read("[a]\ncolour = red\n");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find(":2: there is no setting `colour`"), std::string::npos)
      << unknown.error().message;
  EXPECT_FALSE(read("[a\n").ok());
  EXPECT_FALSE(read("[a]\nsays = (\n").ok());
  EXPECT_FALSE(read("[a]\ntime_limit = soon\n").ok());
}

TEST(Words, FollowTheShell) {
  EXPECT_EQ(split_words(R"(a  'b c' "d \"e" f\ g "")"), (std::vector<std::string>{"a", "b c", "d \"e", "f g", ""}));
}

}  // namespace
}  // namespace warpwise::conformance
