// `warpwise lab` in a folder of its own, with progress of its own, and files that learners hand in.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "toolchain/files.h"

namespace warpwise {

namespace fs = std::filesystem;

constexpr const char* kSolved =
    "extern \"C\" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  out[i] = a[i] + "
    "10;\n}\n";
constexpr const char* kOffByOne =
    "extern \"C\" __global__ void map(float* out, const float* a) {\n  int i = threadIdx.x;\n  out[i] = a[i + 1] + "
    "10;\n}\n";

struct Outcome {
  int code = -1;
  std::string out, err;
  bool says(std::string_view text) const { return out.find(text) != out.npos; }
};

inline std::string with(std::string text, const std::string& before, const std::string& after) {
  for (size_t at = 0; (at = text.find(before, at)) != text.npos; at += after.size())
    text.replace(at, before.size(), after);
  return text;
}

constexpr const char* kAdd = R"(
__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
)";

class LabCommand : public testing::Test {
 protected:
  LabCommand() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    setenv("XDG_DATA_HOME", (folder_.path() / "data").c_str(), 1);
    unsetenv("WARPWISE_PROBLEMS");
  }
  Outcome lab(const std::string& words) {
    const std::string command =
        "cd " + folder_.path().string() + " && " + WARPWISE_PROGRAM + " lab " + words + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }
  void write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(toolchain::write_file(folder_.path() / name, text).ok());
  }
  std::string content(const std::string& name) const {
    auto text = toolchain::read_file(folder_.path() / name);
    return text ? *text : "";
  }

  toolchain::TemporaryFolder folder_;
};

}  // namespace warpwise
