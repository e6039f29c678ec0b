// Each file of cases/ is a test. The expectation follows the line `// expected:` at its end: for bad_*.ptx the
// diagnostics as printed, for others the module as the printer writes it.
//
//   WARPWISE_BLESS=1 test_ptx    rewrites the expectations; read the diff before you commit it
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "ptx_files.h"

namespace warpwise::ptx {
namespace {

constexpr std::string_view kMark = "// expected:\n";

std::string commented(const std::string& text) {
  std::string out;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += line.empty() ? "//\n" : "// " + line + "\n";
  return out;
}

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, gives_what_is_expected) {
  std::string path = test_path("cases/" + GetParam()), text = read_text(path);
  size_t mark = text.find(kMark);
  std::string program = text.substr(0, mark), expected = mark == text.npos ? "" : text.substr(mark + kMark.size());
  Diagnostics diagnostics;
  auto module = load_text(program, diagnostics, GetParam());
  bool bad = GetParam().starts_with("bad_");
  EXPECT_EQ(module.has_value(), !bad) << render_text(diagnostics, false);
  if (module) expect_round_trip(*module, GetParam());
  std::string actual = commented(module ? print(*module) : render_text(diagnostics, false));
  if (std::getenv("WARPWISE_BLESS"))
    std::ofstream(path) << program << kMark << actual;
  else
    EXPECT_EQ(actual, expected);
  // Every reported code has an explanation.
  for (const Diagnostic& d : diagnostics.all()) EXPECT_TRUE(find_diagnostic(d.code)) << d.code;
}

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(test_path("cases")))
    files.push_back(entry.path().filename());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(, Cases, testing::ValuesIn(case_files()),
                         [](const auto& info) { return info.param.substr(0, info.param.find('.')); });

}  // namespace
}  // namespace warpwise::ptx
