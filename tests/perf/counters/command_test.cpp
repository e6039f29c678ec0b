// `warpwise profile` from outside: the program's own output and exit code, counters as JSON, programs that crash.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "toolchain/files.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = R"(#include <cstdio>
#include <cstdlib>
__global__ void twice(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }
int main(int, char** v) {
  float* x;
  cudaMalloc(&x, 4096);
  twice<<<4, 256>>>(x);
  cudaDeviceSynchronize();
  std::printf("hello %s\n", v[1]);
  std::fflush(stdout);
  if (v[1][0] == 'c') std::abort();
  return 7;
}
)";

class ProfileCommand : public testing::Test {
 protected:
  ProfileCommand() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    unsetenv("WARPWISE_OPTIONS");
    EXPECT_TRUE(toolchain::write_file(path("program.cu"), kProgram).ok());
  }
  fs::path path(const char* name) const { return folder_.path() / name; }
  std::string content(const char* name) const {
    auto text = toolchain::read_file(path(name));
    return text ? *text : "";
  }
  int profile(const std::string& options, const std::string& words) {
    const std::string command = std::string(WARPWISE_PROGRAM) + " profile --compiler=clang " + options + " " + path("program.cu").string() + " " + words + " >" +
                                path("out").string() + " 2>" + path("err").string() + " </dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  }

  toolchain::TemporaryFolder folder_;
};

// 1024 floats: 32 requests of 4 sectors each way, whoever reports them.
TEST_F(ProfileCommand, counts_and_leaves_the_program_alone) {
  EXPECT_EQ(profile("--counters --json=" + path("counts.json").string(), "world"), 7) << content("err");
  EXPECT_EQ(content("out"), "hello world\n");
  EXPECT_NE(content("err").find("twice(float*)"), std::string::npos) << content("err");
  const auto json = nlohmann::json::parse(content("counts.json"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  const std::string text = json.dump();
  EXPECT_NE(text.find(R"("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum":128)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum":32)"), std::string::npos) << text;
}

// What was counted before the program died is told; the exit code says how it ended, as a shell would: 128 + SIGABRT.
TEST_F(ProfileCommand, of_a_program_that_crashes) {
  EXPECT_EQ(profile("--counters", "crash"), 134) << content("err");
  EXPECT_NE(content("err").find("twice(float*)"), std::string::npos) << content("err");
}

// Kept, and compared with itself; then with a program that loads a cache line for each float.
TEST_F(ProfileCommand, against_a_baseline) {
  const std::string kept = path("kept").string();
  std::string program = kProgram;
  program.replace(program.find("return 7"), 8, "return 0");
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), program).ok());
  EXPECT_EQ(profile("--save=" + kept, "x"), 0) << content("err");
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 0) << content("err");
  EXPECT_NE(content("err").find("nothing changed"), std::string::npos) << content("err");
  const std::string index = "x[blockIdx.x * blockDim.x + threadIdx.x]";
  program.replace(program.find(index), index.size(), "x[(blockIdx.x * blockDim.x + threadIdx.x) * 32 % 1024]");
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), program).ok());
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 3) << content("err");
  EXPECT_NE(content("err").find("worse: "), std::string::npos) << content("err");
  EXPECT_EQ(profile("--baseline=" + path("program.cu").string(), "x"), 125) << content("err");
}

TEST_F(ProfileCommand, beside_another_program) {
  std::string other = kProgram;
  other.replace(other.find("*= 2"), 4, "+= 2");
  EXPECT_TRUE(toolchain::write_file(path("other.cu"), other).ok());
  EXPECT_EQ(profile("--vs=" + path("other.cu").string(), "x"), 7) << content("err");
  EXPECT_NE(content("err").find("after   " + path("other.cu").string()), std::string::npos) << content("err");
  EXPECT_EQ(content("out"), "hello x\nhello x\n");
}

TEST_F(ProfileCommand, at_another_clock) {
  EXPECT_EQ(profile("--clock=base", "x"), 7) << content("err");
  EXPECT_NE(content("err").find("at 1590 MHz"), std::string::npos) << content("err");
  EXPECT_EQ(profile("--clock=fast", "x"), 125);
}

TEST_F(ProfileCommand, of_what_does_not_compile) {
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), "int main() { return nothing; }\n").ok());
  EXPECT_EQ(profile("", ""), 125);
}

}  // namespace
}  // namespace warpwise
