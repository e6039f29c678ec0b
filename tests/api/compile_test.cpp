// CUDA C++ through the public API. The build itself needs Clang, so it is there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "warpwise/warpwise.h"

namespace warpwise {
namespace {

constexpr const char* kSource = R"(
#include <cstdio>
#ifndef FACTOR
#define FACTOR 1
#endif
extern "C" __global__ void tell(int* out) {
  printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = FACTOR * __CUDA_ARCH__;
}
)";

CompileOptions clang(std::vector<std::string> flags = {}) {
  CompileOptions options;
  options.compiler = Compiler::Clang;
  options.flags = std::move(flags);
  return options;
}

TEST(ApiCompile, a_text_runs_and_its_output_goes_to_the_callback) {
  Options options;
  options.device = "a100";
  options.engine = Engine::Interpreter;
  std::string printed;
  options.observers.print = [&](std::string_view text) { printed += text; };
  auto device = Device::open(options);
  auto module = device->compile(kSource, clang({"-DFACTOR=2"}));
  ASSERT_TRUE(module) << module.error().message;
  Memory out = device->allocate(4 * sizeof(int)).value();
  ASSERT_TRUE(module->kernel("tell")->launch({.grid = {2}, .block = {2}}, out));
  EXPECT_EQ(printed, "") << "nothing runs before the program waits";
  EXPECT_EQ(out.download<int>().value(), std::vector<int>(4, 2 * 800));
  EXPECT_EQ(printed, "thread 0 of block 0\nthread 1 of block 0\nthread 0 of block 1\nthread 1 of block 1\n");
}

TEST(ApiCompile, the_ptx_of_a_text_is_the_same_each_time) {
  auto one = compile_cuda(kSource, clang()), two = compile_cuda(kSource, clang());
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(*one, *two);
  EXPECT_NE(one->find(".entry tell"), std::string::npos);
}

TEST(ApiCompile, messages_name_the_text_as_the_caller_does) {
  CompileOptions options = clang();
  options.name = "mine.cu";
  auto wrong = compile_cuda("__global__ void k() { undeclared(); }", options);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, "T0003");
  EXPECT_NE(wrong.error().message.find("\nmine.cu:1:"), std::string::npos) << wrong.error().message;
  EXPECT_NE(wrong.error().message.find("undeclared"), std::string::npos);

  std::string said;
  options.on_message = [&](std::string_view text) { said += text; };
  ASSERT_TRUE(compile_cuda("#warning look\n__global__ void k() {}", options));
  EXPECT_EQ(said.find("mine.cu:1:"), 0u) << said;
}

TEST(ApiCompile, wrong_requests_are_refused) {
  EXPECT_EQ(compile_cuda(kSource, clang({"-o"})).error().code, "T0005");
  EXPECT_EQ(compile_cuda(kSource, clang({"other.cu"})).error().code, "T0005");
  EXPECT_EQ(compile_cuda(kSource, clang({"-dlto"})).error().code, "T0006");
  EXPECT_TRUE(compile_cuda(kSource, clang({"-rdc=true"}))) << "PTX alone can be linked later";
  CompileOptions options = clang();
  options.name = "../mine.cu";
  EXPECT_EQ(compile_cuda(kSource, options).error().code, "U0001");
  EXPECT_EQ(compile_cuda_file("/no/such/file.cu", clang()).error().code, "U0001");
}

TEST(ApiCompile, a_file_finds_what_lies_beside_it) {
  auto folder = std::filesystem::temp_directory_path() / ("warpwise-api-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "factor.h") << "#define FACTOR 5\n";
  std::ofstream(folder / "k.cu") << "#include \"factor.h\"\n" << kSource;
  auto ptx = compile_cuda_file(folder / "k.cu", clang());
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(ptx) << ptx.error().message;
  EXPECT_NE(ptx->find("4500"), std::string::npos) << "5 * 900";
}

}  // namespace
}  // namespace warpwise
