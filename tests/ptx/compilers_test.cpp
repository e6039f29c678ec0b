// The real output of compilers: CUDA C++ through Clang 19 and nvcc, where they are installed, loads and survives
// printing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "ptx_files.h"

namespace warpwise::ptx {
namespace {

std::string find_program(std::initializer_list<const char*> paths) {
  for (const char* path : paths)
    if (access(path, X_OK) == 0) return path;
  return "";
}

void compile_and_load(const std::string& command, const std::string& file) {
  std::string output = (std::filesystem::temp_directory_path() / "warpwise-XXXXXX").string();
  int fd = mkstemp(output.data());
  ASSERT_GE(fd, 0);
  close(fd);
  std::string line = command + " -o " + output + " " + test_path("cuda/" + file) + " 2>/dev/null";
  ASSERT_EQ(std::system(line.c_str()), 0) << line;
  Diagnostics diagnostics;
  auto module = load_text(read_text(output), diagnostics, file);
  unlink(output.c_str());
  ASSERT_TRUE(module) << command << "\n" << render_text(diagnostics, false);
  EXPECT_FALSE(module->functions.empty());
  expect_round_trip(*module, command);
}

TEST(Compilers, clang) {
  std::string clang = find_program({"/usr/bin/clang++-19", "/usr/lib/llvm-19/bin/clang++"});
  if (clang.empty()) GTEST_SKIP() << "clang++-19 is not installed";
  std::string command =
      clang +
      " -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx85"
      " -Xclang -target-sdk-version=12.3 -S";
  for (const char* flags : {" --cuda-gpu-arch=sm_90a -O2 -Xclang -debug-info-kind=line-tables-only",
                            " --cuda-gpu-arch=sm_80 -O0 -g", " --cuda-gpu-arch=sm_75 -O3"})
    compile_and_load(command + flags, "language.cu");
}

TEST(Compilers, nvcc) {
  std::string nvcc = find_program({"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"});
  if (nvcc.empty()) GTEST_SKIP() << "nvcc is not installed";
  for (const char* flags :
       {" -ptx -std=c++17 -arch=compute_90 -lineinfo", " -ptx -std=c++17 -arch=compute_80 -rdc=true -G"})
    for (const char* file : {"language.cu", "library.cu"}) compile_and_load(nvcc + flags, file);
}

}  // namespace
}  // namespace warpwise::ptx
