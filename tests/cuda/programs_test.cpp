// Whole programs, built by nvcc and by Clang where they are installed, on the virtual GPU through
// libcudart: what they print must be their .expected file (WARPWISE_BLESS=1 rewrites it).
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

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

// Each program that the build made, on each engine that is there.
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

// Half of what CUDA programs include comes with NVIDIA's toolkit, and is not tested without it.
TEST(CudaPrograms, AreBuiltByNvcc) {
  if (std::string_view(WARPWISE_CUDA_PROGRAMS).find("-nvcc") == std::string_view::npos)
    GTEST_SKIP() << "nvcc is not installed: no program with thrust, CUB, libcu++ or relocatable device code has been tested";
}

class CudaProgram : public ::testing::TestWithParam<Case> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CudaProgram);

TEST_P(CudaProgram, PrintsWhatItShould) {
  const Case& c = GetParam();
  setenv("LD_LIBRARY_PATH", WARPWISE_LIB_DIR, 1);
  const char* devices = c.program == "several_devices" ? ", \"devices\": 4" : "";
  setenv("WARPWISE_OPTIONS", ("{\"engine\": \"" + c.engine + "\"" + devices + "}").c_str(), 1);
  // As `warpwise run` does for programs with NVIDIA's runtime in them.
  std::string replace = c.executable.ends_with("-static")
                            ? "WARPWISE_STATIC_RUNTIME=1 LD_PRELOAD='" WARPWISE_LIB_DIR "/libcudart.so.13' "
                            : "";
  FILE* pipe = popen((replace + "'" + c.executable + "' 2>/dev/null").c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  while (size_t got = fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  EXPECT_EQ(pclose(pipe), 0);
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
