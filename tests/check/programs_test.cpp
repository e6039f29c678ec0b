// Guilty and innocent programs, checked as a user checks them. Each line that takes part in a finding says so:
//
//     cudaFree(p);  // finds C0502
//
// A finding without a line is `// finds C0512 anywhere`; a program that nothing is wrong with says `// clean`. What is
// compared, per code, is the set of lines of all parties. `// options: WORDS` go to `warpwise check`, `// arguments: WORDS`
// to the program.
//
// programs/not_yet.txt names those that the checkers judge wrongly, with the reason; one that they judge rightly may not stay
// in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "check/records.h"
#include "toolchain/files.h"
#include "toolchain/process.h"

namespace warpwise::check {
namespace {

namespace fs = std::filesystem;

using Lines = std::map<std::string, std::set<uint32_t>>;  // by code; 0: no line

struct Program {
  fs::path path;
  std::string name() const { return path.parent_path().filename().string() + "_" + path.stem().string(); }
};
void PrintTo(const Program& program, std::ostream* out) { *out << program.path.string(); }

struct Expected {
  Lines lines;
  bool clean = false;
  std::vector<std::string> options, arguments;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Expected expectations_of(const fs::path& path) {
  Expected out;
  std::ifstream in(path);
  std::string line;
  static const std::regex finds("// finds ((?:C[0-9]{4}(?:, )?)+)( anywhere)?");
  static const std::regex code("C[0-9]{4}");
  for (uint32_t number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, finds)) {
      std::string codes = match[1];
      for (std::sregex_iterator at(codes.begin(), codes.end(), code), end; at != end; ++at)
        out.lines[at->str()].insert(match[2].matched ? 0 : number);
    }
    if (line.starts_with("// clean")) out.clean = true;
    if (line.starts_with("// options:")) out.options = words_of(line.substr(11));
    if (line.starts_with("// arguments:")) out.arguments = words_of(line.substr(13));
  }
  return out;
}

std::string show(const Lines& lines) {
  std::string out;
  for (const auto& [code, numbers] : lines) {
    out += code + ":";
    for (uint32_t number : numbers) out += number ? " " + std::to_string(number) : " anywhere";
    out += "\n";
  }
  return out.empty() ? "clean\n" : out;
}

// The lines of a party in the program's own file: that of its code, else that of the host.
std::set<uint32_t> lines_of(const Finding& finding) {
  std::set<uint32_t> out;
  for (const Party& party : finding.parties) {
    const auto& frames = party.code.frames.empty() ? party.host_lines : party.code.frames;
    for (const SourcePlace& place : frames)
      if (place.line) {
        out.insert(place.line);
        break;
      }
  }
  if (out.empty()) out.insert(0);
  return out;
}

Lines found_in(const std::string& report) {
  Lines out;
  auto json = nlohmann::json::parse(report, nullptr, false);
  if (!json.is_object()) return {{"no report", {0}}};
  for (const auto& item : json["findings"]) {
    if (item.contains("suppressed")) continue;
    auto finding = finding_from_json(item.dump());
    if (!finding) return {{"no finding", {0}}};
    for (uint32_t line : lines_of(*finding)) out[finding->code].insert(line);
  }
  return out;
}

// FOLDER/NAME, then why not yet; # begins a comment. Folders end in a slash.
std::map<std::string, std::string> not_yet() {
  std::map<std::string, std::string> out;
  std::ifstream in(fs::path(WARPWISE_SOURCE_DIR) / "tests/check/programs/not_yet.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string name = line.substr(0, line.find(' '));
    out[name] = name.size() < line.size() ? line.substr(name.size() + 1) : "";
  }
  return out;
}

class CheckedProgram : public testing::TestWithParam<Program> {};

TEST_P(CheckedProgram, is_judged_rightly) {
  const fs::path& path = GetParam().path;
  Expected expected = expectations_of(path);
  ASSERT_NE(expected.clean, !expected.lines.empty()) << path << " says neither `// clean` nor `// finds CODE`";
  auto folder = toolchain::TemporaryFolder::create(fs::temp_directory_path()).value();
  fs::path report = folder.path() / "report.json";
  std::vector<std::string> command = {WARPWISE_PROGRAM, "check", "--json=" + report.string(), "--timeout=20"};
  command.insert(command.end(), expected.options.begin(), expected.options.end());
  command.push_back(path);
  command.push_back("--");
  command.insert(command.end(), expected.arguments.begin(), expected.arguments.end());
  auto results = toolchain::run_jobs({{command}});
  ASSERT_TRUE(results.ok());
  auto text = toolchain::read_file(report);
  ASSERT_TRUE(text.ok()) << (*results)[0].output;
  std::string found = show(found_in(*text)), wanted = show(expected.lines);
  static const std::map<std::string, std::string> waiting = not_yet();
  if (auto why = waiting.find(path.parent_path().filename().string() + "/" + path.stem().string()); why != waiting.end()) {
    EXPECT_NE(found, wanted) << "it is judged rightly now: take it out of not_yet.txt";
    GTEST_SKIP() << "not yet: " << why->second;
  }
  EXPECT_EQ(found, wanted) << (*results)[0].output;
}

// The folders of programs are those of the checkers; one in not_yet.txt waits for its checker.
std::vector<std::string> folders() {
  std::vector<std::string> out;
  auto waiting = not_yet();
  for (unsigned i = 0; i < kCheckers; ++i) {
    std::string name(name_of(Checker(i)));
    if (!waiting.contains(name + "/") && fs::exists(fs::path(WARPWISE_SOURCE_DIR) / "tests/check/programs" / name)) out.push_back(name);
  }
  return out;
}

std::vector<Program> programs() {
  std::vector<Program> out;
  for (const std::string& folder : folders())
    for (const auto& entry : fs::directory_iterator(fs::path(WARPWISE_SOURCE_DIR) / "tests/check/programs" / folder))
      if (entry.path().extension() == ".cu") out.push_back({entry.path()});
  std::sort(out.begin(), out.end(), [](const Program& a, const Program& b) { return a.path < b.path; });
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, CheckedProgram, testing::ValuesIn(programs()),
                         [](const auto& info) { return info.param.name(); });

// Each rule of the API has at least three guilty programs, each checker innocent ones: an innocent program keeps all rules.
TEST(CheckedPrograms, cover_the_rules) {
  std::map<std::string, int> guilty, innocent;
  for (const Program& program : programs()) {
    Expected expected = expectations_of(program.path);
    for (const auto& [code, lines] : expected.lines) ++guilty[code];
    innocent[program.path.parent_path().filename()] += expected.clean;
  }
  auto waiting = not_yet();
  for (const Rule& rule : all_rules())
    if (rule.checker == Checker::Api && !waiting.contains(std::string(rule.code)))
      EXPECT_GE(guilty[std::string(rule.code)], 3) << rule.code << " " << rule.title;
  for (const std::string& folder : folders()) EXPECT_GE(innocent[folder], 3) << folder;
}

}  // namespace
}  // namespace warpwise::check
