// The judge's reader reads what the interpreter's runner reads; and on our own GPU, through our libcuda,
// the judge agrees with every file. So what it says of a real GPU is about the GPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/sanitized.h"
#include "exec/interpreter/ptx_case.h"
#include "read_case.h"

namespace warpwise::gpu {
namespace {

const char* const kFolder = WARPWISE_SOURCE_DIR "/tests/ptx/exec";

TEST(GpuJudge, ReadsTheFilesAsTheInterpretersRunnerDoes) {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() != ".ptx") continue;
    ++files;
    auto ours = read_case(entry.path()), theirs = test::read_ptx_case(entry.path());
    ASSERT_TRUE(theirs.ok()) << theirs.error().message;
    ASSERT_TRUE(ours.ok()) << ours.error().message;
    EXPECT_EQ(ours->text, theirs->text);
    ASSERT_EQ(ours->launches.size(), theirs->launches.size()) << entry.path();
    for (size_t k = 0; k < ours->launches.size(); ++k) {
      const test::PtxLaunch &a = ours->launches[k], &b = theirs->launches[k];
      EXPECT_EQ(a.kernel, b.kernel) << entry.path();
      EXPECT_EQ(a.buffers, b.buffers) << entry.path();
      EXPECT_EQ(a.print, b.print) << entry.path();
      EXPECT_EQ(a.fault, b.fault) << entry.path();
      EXPECT_EQ(a.line, b.line) << entry.path();
      EXPECT_EQ(a.shared_bytes, b.shared_bytes) << entry.path();
      EXPECT_EQ(a.stack_bytes, b.stack_bytes) << entry.path();
      EXPECT_EQ(a.cooperative, b.cooperative) << entry.path();
      EXPECT_EQ(a.grid.x, b.grid.x) << entry.path();
      EXPECT_EQ(a.grid.y, b.grid.y) << entry.path();
      EXPECT_EQ(a.grid.z, b.grid.z) << entry.path();
      EXPECT_EQ(a.block.x, b.block.x) << entry.path();
      EXPECT_EQ(a.block.y, b.block.y) << entry.path();
      EXPECT_EQ(a.block.z, b.block.z) << entry.path();
    }
  }
  EXPECT_GT(files, 100u);
}

std::string output_of(const std::string& command, int* status) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  *status = pclose(pipe);
  return output;
}

const std::string kJudge = "'" WARPWISE_JUDGE "' --jobs=2 --driver='" WARPWISE_DRIVER "' ";

TEST(GpuJudge, AgreesWithEveryFileOnTheVirtualGpu) {
  int status = 0;
  std::string output = output_of(kJudge + kFolder + "/*/*.ptx | grep -v ^agrees", &status);
  for (const char* word : {"DIFFERS\t", "REFUSED\t", "HUNG\t", "BROKEN\t"})
    EXPECT_EQ(output.find(word), std::string::npos) << output;
  EXPECT_NE(output.find("# "), std::string::npos) << output;
}

// A test that is wrong is found out, value by value.
TEST(GpuJudge, NamesLaneExpectationAndFinding) {
  auto path = std::filesystem::temp_directory_path() / "warpwise_wrong_expectation.ptx";
  std::ofstream(path) << "// launch: t block=2\n// out d: u32 0 7\n.version 8.5\n.target sm_90a\n.address_size 64\n"
                         ".visible .entry t(.param .u64 d) {\n.reg .b64 %d;\n.reg .b32 %i;\nld.param.u64 %d, [d];\n"
                         "mov.u32 %i, %tid.x;\nmad.wide.u32 %d, %i, 4, %d;\nst.global.u32 [%d], %i;\nret;\n}\n";
  int status = 0;
  std::string output = output_of(kJudge + path.string(), &status);
  EXPECT_NE(output.find("DIFFERS\twarpwise_wrong_expectation.ptx:1\td[1] expected 0x00000007 got 0x00000001\n"),
            std::string::npos)
      << output;
  EXPECT_NE(status, 0);
  std::filesystem::remove(path);
}

// A kernel that never ends does not stop the tests behind it.
TEST(GpuJudge, EndsAKernelThatHangs) {
  auto path = std::filesystem::temp_directory_path() / "warpwise_endless.ptx";
  std::ofstream(path) << "// launch: t\n.version 8.5\n.target sm_90a\n.address_size 64\n"
                         ".visible .entry t() {\nagain:\nbra again;\n}\n";
  int status = 0;
  std::string output = output_of(
      kJudge + "--timeout=" + std::to_string(kSlowdown) + " " + path.string() + " " + kFolder + "/integer/shl_shr.ptx",
      &status);
  EXPECT_NE(output.find("HUNG\twarpwise_endless.ptx:1\t"), std::string::npos) << output;
  EXPECT_NE(output.find("agrees\tshl_shr.ptx"), std::string::npos) << output;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace warpwise::gpu
