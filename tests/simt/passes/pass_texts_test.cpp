// Passes of the compiler as text: for every pass a folder NAME with two files,
//
//     acts.ll      code that the pass changes, and what becomes of it
//     leaves.ll    code that looks alike and that the pass leaves as it is
//
// A file says what is to be seen, then gives the settings of the pass, the code, and the outcome:
//
//     ; Two additions of one place become one.
//     ;; block = 32x8
//     define void @k() { … }
//     ; becomes                        or `; stays`, or `; refuses: why`
//     define void @k() { … }           as LLVM prints it, without declarations and attributes
//
// In the code, `event(Collective)` stands for the number of an event of that kind (simt/instrument/events.h).
// `; always acts` in leaves.ll marks a pass that changes all code: the file then shows the plainest code.
//
//     WARPWISE_BLESS=1 test_pass_texts     writes the outcomes. Read the difference before you commit it.
//
// Settings: block (32x8), watch (addresses initialisation order barriers numbers), cpu (x86-64-v4; a name of LLVM's),
// local bytes, frame bytes, common bytes, and yes or no: agree, as scheduled, counts, defers, distinct pointers,
// ranges, keep places, may skip, simt, spins. run_pass.cpp says which pass has which.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "run_pass.h"
#include "simt/pass_names.h"

namespace warpwise::simt::test {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = WARPWISE_SOURCE_DIR "/tests/simt/passes";

struct PassText {
  std::string head;     // comments and settings
  std::string input;    // LLVM IR
  std::string outcome;  // "; stays", "; becomes" or "; refuses: …", and what follows
  PassSettings settings;
};

std::string read(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \n"), last = text.find_last_not_of(" \n");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

bool begins_outcome(const std::string& line) {
  return line == "; stays" || line == "; becomes" || line.starts_with("; refuses: ");
}

PassText parse(const std::string& text) {
  PassText parsed;
  std::istringstream in(text);
  std::string* part = &parsed.head;
  for (std::string line; std::getline(in, line);) {
    if (part != &parsed.outcome && begins_outcome(line)) part = &parsed.outcome;
    if (part == &parsed.head && !line.starts_with(";")) part = &parsed.input;
    if (part == &parsed.head && line.starts_with(";; ")) {
      const size_t equals = line.find('=');
      if (equals == line.npos) throw std::runtime_error("not a setting: " + line);
      parsed.settings[trimmed(line.substr(3, equals - 3))] = trimmed(line.substr(equals + 1));
    }
    *part += line + "\n";
  }
  return parsed;
}

std::string outcome_of(const PassOutcome& outcome) {
  if (!outcome.refusal.empty()) return "; refuses: " + outcome.refusal + "\n";
  if (outcome.before == outcome.after) return "; stays\n";
  return "; becomes\n" + outcome.after;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The lines of both, `-` where only the expected text has them, `+` where only the other has.
std::string difference(const std::string& expected, const std::string& actual) {
  const auto a = lines_of(expected), b = lines_of(actual);
  std::vector<std::vector<unsigned>> common(a.size() + 1, std::vector<unsigned>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
  std::string text;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j])
      text += "  " + a[i++] + "\n", ++j;
    else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1]))
      text += "- " + a[i++] + "\n";
    else
      text += "+ " + b[j++] + "\n";
  }
  return text;
}

std::vector<fs::path> all_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder))
    if (entry.path().extension() == ".ll") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class PassTexts : public testing::TestWithParam<fs::path> {};

TEST_P(PassTexts, come_out_as_written) {
  const fs::path file = GetParam();
  const std::string pass = file.parent_path().filename(), kind = file.stem();
  ASSERT_TRUE(can_run_alone(pass)) << "there is no such pass";
  PassText text;
  std::string outcome;
  try {
    text = parse(read(file));
    const PassOutcome ran = run_pass(pass, text.input, text.settings);
    EXPECT_TRUE(ran.refusal.empty() || ran.before == ran.after) << file << ": the pass refused, and changed the code";
    outcome = outcome_of(ran);
  } catch (const std::runtime_error& error) {
    FAIL() << file << ": " << error.what();
  }
  EXPECT_GT(text.head.size(), 10u) << file << " does not say what is to be seen";
  const bool acts = outcome.starts_with("; becomes");
  const bool always_acts = text.head.find("; always acts") != text.head.npos;
  if (kind == "acts") {
    EXPECT_TRUE(acts) << file << ": the pass leaves this code as it is";
  } else {
    EXPECT_EQ(acts, always_acts) << file << ": " << outcome;
  }
  if (std::getenv("WARPWISE_BLESS")) {
    std::ofstream(file) << text.head << trimmed(text.input) << "\n\n" << outcome;
    return;
  }
  EXPECT_TRUE(trimmed(text.outcome) == trimmed(outcome)) << file << ":\n"
                                                         << difference(trimmed(text.outcome), trimmed(outcome));
}

std::string name_of_test(const testing::TestParamInfo<fs::path>& info) {
  return info.param.parent_path().filename().string() + "_" + info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(All, PassTexts, testing::ValuesIn(all_files()), name_of_test);

// Passes that have no text: what they take or make is no IR, or they are LLVM's.
bool has_no_text(const PassName& pass) {
  return pass.name == "lower" || pass.name == "optimise" || pass.name == "emit";
}

TEST(PassTextsOf, every_pass_are_there) {
  for (const PassName& pass : kPasses) {
    EXPECT_NE(can_run_alone(pass.name), has_no_text(pass)) << pass.name;
    if (has_no_text(pass)) continue;
    for (const char* kind : {"acts.ll", "leaves.ll"})
      EXPECT_TRUE(fs::exists(kFolder / pass.name / kind)) << "tests/simt/passes/" << pass.name << "/" << kind;
  }
}

}  // namespace
}  // namespace warpwise::simt::test
