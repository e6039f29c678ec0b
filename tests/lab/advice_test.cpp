// What a learner is told: each file of advice/ gets the verdict, and the words, that its first comment states. `says`
// may stand several times; what `not` has must not be shown.
//
//     // problem: puzzles/map
//     // verdict: out-of-bounds
//     // says: your `a` is the problem's `out`
//     // not: start with the first message
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lab/judge/verdict.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WARPWISE_SOURCE_DIR) / "tests/lab/advice";

struct Stated {
  std::string problem, verdict;
  std::vector<std::string> says, never;
};

Stated stated_in(const fs::path& file) {
  Stated out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.starts_with("// ");) {
    const size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    const std::string key = line.substr(3, colon - 3), value = line.substr(colon + 2);
    if (key == "problem") out.problem = value;
    if (key == "verdict") out.verdict = value;
    if (key == "says") out.says.push_back(value);
    if (key == "not") out.never.push_back(value);
  }
  return out;
}

std::string output_of(const std::string& words) {
  std::string text;
  FILE* pipe = popen(("timeout 200 " WARPWISE_PROGRAM " lab " + words + " 2>&1 < /dev/null").c_str(), "r");
  if (!pipe) return text;
  char part[4096];
  while (size_t n = fread(part, 1, sizeof part, pipe)) text.append(part, n);
  pclose(pipe);
  return text;
}

std::vector<fs::path> sources() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kFolder))
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

class Advice : public testing::TestWithParam<fs::path> {};

TEST_P(Advice, NamesTheCause) {
  const Stated stated = stated_in(GetParam());
  const auto verdict = find_verdict(stated.verdict);
  ASSERT_TRUE(verdict) << "the first comment states no verdict";
  ASSERT_FALSE(stated.says.empty());
  const std::string text =
      output_of("submit --no-record --seed=7 -v " + stated.problem + " '" + GetParam().string() + "'");
  EXPECT_EQ(text.substr(0, text.find('\n')), stated.problem + ": " + std::string(words_of(*verdict))) << text;
  for (const std::string& words : stated.says) EXPECT_NE(text.find(words), text.npos) << words << "\n" << text;
  for (const std::string& words : stated.never) EXPECT_EQ(text.find(words), text.npos) << words << "\n" << text;
}

INSTANTIATE_TEST_SUITE_P(All, Advice, testing::ValuesIn(sources()), [](const auto& info) {
  std::string name = info.param.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

// A printf for debugging reads an element once more: no budget in `test`, and one in `submit`.
TEST(AdviceOfTest, LeavesBudgetsOut) {
  char place[] = "/tmp/warpwise-advice-XXXXXX";
  const fs::path folder = mkdtemp(place);
  std::ofstream(folder / "map.cu")
      << "#include <cstdio>\nextern \"C\" __global__ void map(float* out, const float* a) {\n"
         "  int i = threadIdx.x;\n  out[i] = a[i] + 10;\n  printf(\"%f\\n\", a[i]);\n}\n";
  const std::string file = "'" + (folder / "map.cu").string() + "' --no-record";
  EXPECT_TRUE(output_of("test " + file).starts_with("puzzles/map: accepted"));
  EXPECT_TRUE(output_of("submit " + file).starts_with("puzzles/map: over budget"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warpwise::lab
