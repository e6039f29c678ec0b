// What a learner is told: each file of advice/ gets the verdict, and the words, that its first comment states. `says`
// may stand several times; what `not` has must not be shown.
//
//     // problem: puzzles/map
//     // verdict: out-of-bounds
//     // says: your `a` is the problem's `out`
//     // not: start with the first message
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/sanitized.h"
#include "lab/judge/judge.h"
#include "lab/judge/verdict.h"
#include "lab/problem/catalogue.h"

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
  const std::string file = fmt::format("'{}' --no-record", (folder / "map.cu").string());
  EXPECT_TRUE(output_of("test " + file).starts_with("puzzles/map: accepted"));
  EXPECT_TRUE(output_of("submit " + file).starts_with("puzzles/map: over budget"));
  fs::remove_all(folder);
}

// A loop that never ends is reported after the two seconds of a small case, although `relu` allows five: times the
// judge's patience with a machine that has other work.
TEST(AdviceOfLoops, ComesSoon) {
  const std::string text = output_of("submit --no-record relu '" + (kFolder / "endless-loop.cu").string() + "'");
  constexpr std::string_view kWords = "did not end within ";
  const size_t at = text.find(kWords);
  ASSERT_NE(at, text.npos) << text;
  double load = 0;
  ASSERT_EQ(getloadavg(&load, 1), 1);
  const double patience = kSlowdown * std::clamp(load / std::max(1u, std::thread::hardware_concurrency()), 1.0, 8.0);
  EXPECT_LT(std::stod(text.substr(at + kWords.size())), 3.5 * patience) << text;
}

// Without checkers, the device's own words are what is left: they name arrays, too.
TEST(AdviceOfTimedCase, NamesArraysNotAddresses) {
  auto catalogue = Catalogue::open((fs::path(WARPWISE_SOURCE_DIR) / "problems").string());
  ASSERT_TRUE(catalogue.ok());
  auto problem = catalogue->load("challenges/relu");
  ASSERT_TRUE(problem.ok());
  JudgeOptions options;
  options.only_timed = true;
  auto judgement = judge(*problem, kFolder / "past-the-end-when-large.cu", options);
  ASSERT_TRUE(judgement.ok()) << judgement.error().message;
  ASSERT_TRUE(judgement->refusal);
  EXPECT_EQ(judgement->verdict, Verdict::OutOfBounds);
  const std::string& message = judgement->refusal->message;
  EXPECT_NE(message.find("past the end of `input`"), message.npos) << message;
  EXPECT_EQ(message.find("0x"), message.npos) << message;
}

TEST(Judge, LeavesItsCallerAMomentWhileTheFirstCaseRuns) {
  auto catalogue = Catalogue::open((fs::path(WARPWISE_SOURCE_DIR) / "problems").string());
  ASSERT_TRUE(catalogue.ok());
  auto problem = catalogue->load("puzzles/map");
  ASSERT_TRUE(problem.ok());
  std::vector<std::string> events;
  JudgeOptions options;
  options.samples_only = true;
  options.case_ended = [&](const CaseReport&) { events.push_back("case"); };
  options.meanwhile = [&] { events.push_back("meanwhile"); };
  auto judgement = judge(*problem, problem->folder / "solutions/1-one-thread-per-element.cu", options);
  ASSERT_TRUE(judgement.ok()) << judgement.error().message;
  ASSERT_TRUE(judgement->accepted());
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0], "meanwhile");
  EXPECT_EQ(std::count(events.begin(), events.end(), "meanwhile"), 1);
  EXPECT_EQ(events.size(), judgement->cases.size() + 1);
}

}  // namespace
}  // namespace warpwise::lab
