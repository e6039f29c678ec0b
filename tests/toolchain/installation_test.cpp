#include "toolchain/installation.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "temporary.h"

namespace warpwise::toolchain {
namespace {

namespace fs = std::filesystem;

// A folder that is PATH, with programs that do nothing; WARPWISE_CLANG is unset before and after.
class Programs : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("PATH");
    path_ = path ? path : "";
    setenv("PATH", folder_.path().c_str(), 1);
    unsetenv("WARPWISE_CLANG");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("WARPWISE_CLANG");
  }
  fs::path program(const char* name) {
    fs::path file = folder_.path() / name;
    std::ofstream(file) << "#!/bin/sh\n";
    chmod(file.c_str(), 0755);
    return file;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path()).value();
  std::string path_;
};

TEST_F(Programs, clang_is_chosen_by_path_or_by_name) {
  const fs::path usual = program("clang++-19"), other = program("my-clang");
  ASSERT_TRUE(find_clang());
  EXPECT_EQ(find_clang()->path, usual);
  setenv("WARPWISE_CLANG", other.c_str(), 1);
  ASSERT_TRUE(find_clang());
  EXPECT_EQ(find_clang()->path, other);
  setenv("WARPWISE_CLANG", "my-clang", 1);
  ASSERT_TRUE(find_clang());
  EXPECT_EQ(find_clang()->path, other);
  // A choice that is not there is not replaced by another compiler.
  setenv("WARPWISE_CLANG", "your-clang", 1);
  EXPECT_FALSE(find_clang());
  const fs::path nvcc = program("my-nvcc");
  setenv("WARPWISE_NVCC", "my-nvcc", 1);
  ASSERT_TRUE(find_nvcc());
  EXPECT_EQ(find_nvcc()->path, nvcc);
  unsetenv("WARPWISE_NVCC");
}

TEST_F(Programs, a_script_that_calls_us_is_not_the_nvcc_to_fall_back_to) {
  unsetenv("WARPWISE_NVCC");
  const auto ours = TemporaryFolder::create(fs::temp_directory_path()).value();
  const fs::path script = ours.path() / "nvcc", nvcc = program("nvcc");
  std::ofstream(script) << "#!/bin/sh\nexec warpwise nvcc \"$@\"\n";
  chmod(script.c_str(), 0755);
  setenv("PATH", (ours.path().string() + ":" + folder_.path().string()).c_str(), 1);
  ASSERT_TRUE(find_nvcc());
  EXPECT_EQ(find_nvcc()->path, nvcc);
}

TEST_F(Programs, a_linker_beside_clang_or_on_the_path_is_used) {
  const Tool clang{program("clang++-19"), ""};
  EXPECT_EQ(fastest_linker(clang), "");
  program("ld.gold");
  EXPECT_EQ(fastest_linker(clang), "gold");
  program("ld.lld");
  EXPECT_EQ(fastest_linker(clang), "lld");
}

TEST_F(Programs, tools_for_object_files_are_not_looked_for_on_the_path) {
  program("objdump-of-mine");
  EXPECT_FALSE(find_object_tool("objdump-of-mine"));
  EXPECT_TRUE(find_object_tool("env"));  // in /usr/bin everywhere
}

}  // namespace
}  // namespace warpwise::toolchain
