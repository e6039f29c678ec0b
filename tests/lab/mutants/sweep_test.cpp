#include "lab/mutants/sweep.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "lab/mutants/judge_mutant.h"
#include "lab/mutants/reviewed.h"
#include "lab/problem/catalogue.h"

namespace warpwise::mutants {
namespace {

namespace fs = std::filesystem;

const fs::path kHere = fs::path(WARPWISE_SOURCE_DIR) / "tests/lab/mutants";

class File {
 public:
  explicit File(const std::string& text)
      : path_(fs::temp_directory_path() / ("sweep_test_" + std::to_string(getpid()) + ".toml")) {
    std::ofstream(path_) << text;
  }
  ~File() { fs::remove(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Every problem has a sweep whose shapes make launches and arrays of a sensible size.
TEST(Sweeps, FitTheProblems) {
  auto sweeps = read_sweeps(kHere / "sweeps.toml");
  ASSERT_TRUE(sweeps.ok()) << sweeps.error().message;
  auto catalogue = lab::Catalogue::open((fs::path(WARPWISE_SOURCE_DIR) / "problems").string());
  ASSERT_TRUE(catalogue.ok());
  for (const std::string& slug : catalogue->slugs()) {
    ASSERT_TRUE(sweeps->contains(slug)) << slug;
    auto problem = catalogue->load(slug);
    ASSERT_TRUE(problem.ok());
    auto other = swept(*problem, sweeps->at(slug), 7, 100);
    ASSERT_TRUE(other.ok()) << slug << ": " << other.error().message;
    EXPECT_EQ(other->cases.size(), 100u);
    for (const lab::CaseSpec& c : other->cases) {
      lab::Numbers sizes;
      for (const auto& [name, range] : c.sizes) sizes[name] = range.low;
      auto shape = lab::shape_of(*other, c, sizes);
      EXPECT_TRUE(shape.ok()) << slug << ": " << (shape.ok() ? "" : shape.error().message);
    }
  }
}

TEST(Sweeps, TheSameSeedDrawsTheSame) {
  auto sweeps = read_sweeps(kHere / "sweeps.toml");
  ASSERT_TRUE(sweeps.ok());
  auto problem = lab::load_problem(fs::path(WARPWISE_SOURCE_DIR) / "problems/puzzles/blocks", "puzzles/blocks");
  ASSERT_TRUE(problem.ok());
  auto drawn = [&](uint64_t seed) {
    std::vector<std::string> texts;
    auto other = swept(*problem, sweeps->at("puzzles/blocks"), seed, 20);
    for (const lab::CaseSpec& c : other->cases) texts.push_back(c.block[0] + " " + std::to_string(c.sizes.at("n").low));
    return texts;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(Sweeps, MistakesHaveALine) {
  for (const char* text :
       {"[\"a\"]\ndraw = [[\"n\", 1]]\n", "[\"a\"]\nsizes = {}\n", "[\"a\"]\ndraw = []\nblok = [\"1\"]\n", "["}) {
    const File file(text);
    auto sweeps = read_sweeps(file.path());
    ASSERT_FALSE(sweeps.ok()) << text;
    EXPECT_EQ(sweeps.error().code, "L0001");
    EXPECT_NE(sweeps.error().message.find(".toml:"), std::string::npos) << sweeps.error().message;
  }
}

TEST(Reviewed, EveryEntryHasAReason) {
  EXPECT_TRUE(Reviewed::read(kHere / "reviewed.toml").ok());
  const File file("[[right]]\nkey = \"a\"\nreason = \"\"\n");
  EXPECT_FALSE(Reviewed::read(file.path()).ok());
  const File good(
      "[[right]]\nkey = \"a\"\nreason = \"the guard is dead\"\n[[wrong]]\nkey = \"c\"\nreason = \"overflows\"\n");
  auto reviewed = Reviewed::read(good.path());
  ASSERT_TRUE(reviewed.ok());
  ASSERT_NE(reviewed->find("a"), nullptr);
  EXPECT_TRUE(reviewed->find("a")->right);
  EXPECT_EQ(reviewed->find("a")->reason, "the guard is dead");
  ASSERT_NE(reviewed->find("c"), nullptr);
  EXPECT_FALSE(reviewed->find("c")->right);
  EXPECT_EQ(reviewed->find("b"), nullptr);
}

// Code is compared without its places; everything else counts.
TEST(Code, WithoutPlaces) {
  const std::string one =
      "// a\n.visible .entry k()\n{\n\t.loc 1 2 3\n\tadd.s32 %r1, %r2, 1; // x\n\tret;\n}\n.file 1 \"a.cu\"\n.section "
      ".debug_str\n{\n.b8 1\n}\n";
  const std::string other =
      ".visible .entry k()\n{\n\t.loc 1 9 9\n\tadd.s32 %r1, %r2, 1;\n\tret;\n}\n.file 1 \"b.cu\"\n.section "
      ".debug_str\n{\n.b8 2\n}\n";
  EXPECT_EQ(without_places(one), without_places(other));
  std::string changed = one;
  changed.replace(changed.find(", 1;"), 4, ", 2;");
  EXPECT_NE(without_places(one), without_places(changed));
  EXPECT_NE(without_places(one).find("add.s32"), std::string::npos);
}

}  // namespace
}  // namespace warpwise::mutants
