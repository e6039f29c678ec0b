// `warpwise lab submit --compiler=nvcc`: programs whose device code is inside them.
#include "lab_command.h"
#include "toolchain/installation.h"

namespace warpwise {
namespace {

// A file for nvcc: its device code is inside the program, and cub has headers of the toolkit alone.
constexpr const char* kWithCub = R"(
#include <cub/warp/warp_reduce.cuh>

__global__ void sum(const float* input, float* output, int N) {
  using Warp = cub::WarpReduce<float>;
  __shared__ typename Warp::TempStorage space[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = Warp(space[threadIdx.x / 32]).Sum(i < N ? input[i] : 0);
  if (threadIdx.x % 32 == 0) atomicAdd(output, x);
}

extern "C" void solve(const float* input, float* output, int N) {
  cudaMemset(output, 0, sizeof(float));
  sum<<<(N + 255) / 256, 256>>>(input, output, N);
}
)";

class LabWithNvcc : public LabCommand {
 protected:
  void SetUp() override {
    if (!toolchain::find_nvcc()) GTEST_SKIP() << "nvcc is not installed";
  }
};

TEST_F(LabWithNvcc, judges_challenges) {
  write("vector-add.cu", kAdd);
  Outcome judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
  write("vector-add.cu", with(kAdd, "i < N", "i < N - 1"));
  judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_EQ(judged.code, 1);
  EXPECT_TRUE(judged.says("unwritten")) << judged.out << judged.err;
}

TEST_F(LabWithNvcc, judges_what_uses_cub) {
  write("reduction.cu", kWithCub);
  const Outcome by_clang = lab("submit reduction.cu");
  EXPECT_EQ(by_clang.code, 1);
  EXPECT_TRUE(by_clang.says("--compiler=nvcc")) << by_clang.out << by_clang.err;
  const Outcome judged = lab("submit --compiler=nvcc reduction.cu");
  EXPECT_EQ(judged.code, 0) << judged.out << judged.err;
}

// The source writes the section where the judge looks for device code: what is there is wrong in each number, and the
// judge neither fails nor believes it.
TEST_F(LabWithNvcc, survives_crafted_sections) {
  const std::string crafted =
      "#ifndef __CUDA_ARCH__\n"
      "asm(\".pushsection .nv_fatbin,\\\"a\\\"\\n.long 0xba55ed50\\n.short 1, 16\\n.quad -1\\n.fill 4096, 1, "
      "255\\n.popsection\");\n"
      "#endif\n";
  write("vector-add.cu", crafted + kAdd);
  const Outcome judged = lab("submit --compiler=nvcc vector-add.cu");
  EXPECT_TRUE(judged.code == 0 || (judged.code == 1 && judged.says("does not compile"))) << judged.out << judged.err;
  EXPECT_EQ(judged.err.find("L0009"), std::string::npos) << judged.err;
}

}  // namespace
}  // namespace warpwise
