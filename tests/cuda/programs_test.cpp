// Whole programs, built by nvcc and by Clang where they are installed, run on the virtual GPU through libcudart. Their
// output must equal their .expected file (WARPWISE_BLESS=1 rewrites it).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "toolchain/process.h"
#include "toolchain/program_environment.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string executable, program, engine;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.executable << " on " << c.engine; }

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Each program that the build made, on each engine that exists.
std::vector<Case> cases() {
  std::vector<std::string> engines = {"interpreter"};
  if (fs::exists(fs::path(WARPWISE_LIB_DIR) / "libwarpwise-simt.so")) engines.push_back("jit");
  std::vector<Case> all;
  std::stringstream list(WARPWISE_CUDA_PROGRAMS);
  for (std::string executable; std::getline(list, executable, ',');)
    for (const std::string& engine : engines) {
      std::string name = fs::path(executable).filename();
      all.push_back({executable, name.substr(0, name.rfind('-')), engine});
    }
  return all;
}

// As `warpwise run` starts it; programs that contain NVIDIA's runtime get this project's library first.
std::string command_for(const Case& c) {
  std::vector<std::string> words{"/usr/bin/env"};
  std::string preload = c.executable.ends_with("-static") ? WARPWISE_LIB_DIR "/libcudart.so.13" : "";
  for (const auto& variable : toolchain::program_environment(toolchain::Installation::find())) {
    if (variable.name == "LD_PRELOAD")
      preload = preload.empty() ? variable.value : variable.value + ":" + preload;
    else
      words.push_back(variable.text());
  }
  if (!preload.empty()) words.push_back("LD_PRELOAD=" + preload);
  if (c.executable.ends_with("-static")) words.push_back("WARPWISE_STATIC_RUNTIME=1");
  words.push_back(c.executable);
  return toolchain::shell_quoted(words);
}

// Half of the headers that CUDA programs include come with NVIDIA's toolkit, and are not tested without it.
TEST(CudaPrograms, AreBuiltByNvcc) {
  if (std::string_view(WARPWISE_CUDA_PROGRAMS).find("-nvcc") == std::string_view::npos)
    GTEST_SKIP()
        << "nvcc is not installed: no program with thrust, CUB, libcu++ or relocatable device code has been tested";
}

class CudaProgram : public ::testing::TestWithParam<Case> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CudaProgram);

TEST_P(CudaProgram, PrintsWhatItShould) {
  const Case& c = GetParam();
  const char* device = c.program.starts_with("several_devices") || c.program == "multicast" ? ", \"devices\": 4"
                       : c.program == "tensor_memory"                                       ? ", \"device\": \"b200\""
                                                                                            : "";
  setenv("WARPWISE_OPTIONS", ("{\"engine\": \"" + c.engine + "\"" + device + "}").c_str(), 1);
  const fs::path complaints = fs::temp_directory_path() / ("warpwise-" + std::to_string(getpid()) + "-stderr");
  FILE* pipe = popen((command_for(c) + " 2>" + toolchain::shell_quoted({complaints})).c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0) << read_file(complaints);
  fs::remove(complaints);
  fs::path expected = fs::path(WARPWISE_SOURCE_DIR) / "tests/cuda/programs" / (c.program + ".expected");
  if (std::getenv("WARPWISE_BLESS")) std::ofstream(expected, std::ios::binary) << output;
  EXPECT_EQ(output, read_file(expected));
}

INSTANTIATE_TEST_SUITE_P(All, CudaProgram, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = fs::path(info.param.executable).filename().string() + "_" + info.param.engine;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace warpwise
