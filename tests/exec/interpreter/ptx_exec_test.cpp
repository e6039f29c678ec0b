// Runs every file of tests/ptx/exec on the engines that --engines=A,B names (default: interpreter), and says
// which rows of the instruction table no file covers. Files must be legal for ptxas, where it is installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "engines.h"
#include "ptx/parse/parser.h"
#include "ptx_case.h"

namespace warpwise::test {
namespace {

const char* const kFolder = WARPWISE_SOURCE_DIR "/tests/ptx/exec";

std::vector<std::string> files() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".ptx") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class RunFile : public testing::Test {
 public:
  RunFile(std::string path, std::string engine) : path_(std::move(path)), engine_(std::move(engine)) {}
  void TestBody() override {
    auto test = read_ptx_case(path_);
    ASSERT_TRUE(test.ok()) << test.error().message;
    EXPECT_EQ(run_ptx_case(*test, engine_), "");
  }

 private:
  std::string path_, engine_;
};

void register_files(const std::vector<std::string>& engines) {
  for (const std::string& engine : engines) {
    for (const std::string& path : files()) {
      // "integer/shl_shr": the folder and the file.
      std::string name = std::filesystem::path(path).lexically_relative(kFolder).replace_extension();
      testing::RegisterTest(("ptx/" + engine).c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [=]() -> testing::Test* { return new RunFile(path, engine); });
    }
  }
}

// Every row that is marked Executed occurs in some file.
TEST(PtxExec, CoversTheTable) {
  std::set<ptx::Op> seen;
  for (const std::string& path : files()) {
    auto test = read_ptx_case(path);
    ASSERT_TRUE(test.ok()) << test.error().message;
    Diagnostics diagnostics;
    auto module = ptx::load(std::make_shared<SourceText>(test->name, test->text), diagnostics);
    ASSERT_TRUE(module) << render_text(diagnostics, false);
    for (const ptx::Function& function : module->functions) {
      for (const ptx::Instruction& inst : function.instructions) seen.insert(inst.op);
    }
  }
  std::string missing;
  for (unsigned k = 0; k < ptx::all_specs().size(); ++k) {
    const ptx::Spec& row = ptx::all_specs()[k];
    if (row.state == ptx::State::Executed && !seen.contains(static_cast<ptx::Op>(k)))
      missing += fmt::format(" {}", row.name);
  }
  EXPECT_EQ(missing, "") << seen.size() << " rows are covered";
}

TEST(PtxExec, IsLegalForPtxas) {
  std::string ptxas = std::system("command -v ptxas >/dev/null 2>&1") == 0 ? "ptxas" : "/usr/local/cuda/bin/ptxas";
  if (ptxas != "ptxas" && !std::filesystem::exists(ptxas)) GTEST_SKIP() << "no ptxas on this machine";
  for (const std::string& path : files()) {
    auto test = read_ptx_case(path);
    ASSERT_TRUE(test.ok()) << path;
    EXPECT_EQ(std::system(fmt::format("{} -arch={} -o /dev/null '{}' 2>&1", ptxas, target_of(*test), path).c_str()), 0)
        << path;
  }
}

}  // namespace
}  // namespace warpwise::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::vector<std::string> engines{"interpreter"};
  for (int k = 1; k < argc; ++k) {
    if (std::string_view argument = argv[k]; argument.starts_with("--engines=")) {
      engines = warpwise::test::split(argument.substr(10), ',');
    }
  }
  warpwise::test::register_files(engines);
  return RUN_ALL_TESTS();
}
