// `warpwise trace` and `warpwise view` from outside: a race, a bank conflict and an uncoalesced store are found where
// they are, sums are those of `profile`, errors have their codes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "toolchain/files.h"

namespace warpwise {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kProgram = R"(#include <cstdio>
#include <cstdlib>
__global__ void fill(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void mistakes(float* out, int* sum) {
  __shared__ float tile[32][32];
  int t = threadIdx.x;
  tile[t % 32][t / 32] = t;
  __syncthreads();
  out[t * 32 + blockIdx.x] = tile[t % 32][t / 32];
  if (blockIdx.x == 2) *sum = *sum + t;
}
int main(int argc, char** v) {
  float* x;
  int* sum;
  cudaMalloc(&x, 1 << 20);
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  fill<<<4, 256>>>(x);
  mistakes<<<4, 128>>>(x, sum);
  cudaDeviceSynchronize();
  std::printf("once\n");
  return argc > 1 ? std::atoi(v[1]) : 0;
}
)";

class TraceCommand : public testing::Test {
 protected:
  TraceCommand() : folder_(toolchain::TemporaryFolder::create(fs::temp_directory_path()).value()) {
    unsetenv("WARPWISE_OPTIONS");
    EXPECT_TRUE(toolchain::write_file(path("program.cu"), kProgram).ok());
  }
  fs::path path(const char* name) const { return folder_.path() / name; }
  std::string content(const char* name) const {
    auto text = toolchain::read_file(path(name));
    return text ? *text : "";
  }
  int warpwise(const std::string& words) {
    const std::string command = std::string(WARPWISE_PROGRAM) + " " + words + " >" + path("out").string() + " 2>" +
                                path("err").string() + " </dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  int trace(const std::string& options, const std::string& arguments = "") {
    return warpwise("trace --compiler=clang -o " + path("x.wwt").string() + " " + options + " " +
                    path("program.cu").string() + " " + arguments);
  }
  Json view(const std::string& options) {
    EXPECT_EQ(warpwise("view --json " + options + " " + path("x.wwt").string()), 0) << content("err");
    return Json::parse(content("out"), nullptr, false);
  }

  toolchain::TemporaryFolder folder_;
};

TEST_F(TraceCommand, opens_at_the_first_finding) {
  EXPECT_EQ(trace("", "7"), 7) << content("err");
  EXPECT_EQ(content("out"), "once\n");
  EXPECT_NE(content("err").find("block (2,0,0)"), std::string::npos) << content("err");
  const Json summary = view("");
  EXPECT_EQ(summary["chosen_by"], "finding");
  EXPECT_EQ(summary["block"], Json::array({2, 0, 0}));
  EXPECT_EQ(summary["launch"], 1);
  ASSERT_FALSE(summary["findings"]["list"].empty());
  EXPECT_EQ(summary["findings"]["list"][0]["code"].get<std::string>().substr(0, 3), "C02");
  // Both parties of the race stand at their steps.
  EXPECT_GE(summary["findings"]["marks"].size(), 2u);
  const Json race = view("--next=race");
  ASSERT_FALSE(race["place"].is_null());
  const std::string place = "--warp=" + race["place"]["warp"].dump() + " --step=" + race["place"]["step"].dump();
  const Json step = view(place);
  EXPECT_EQ(step["frames"][0]["line"], 10);
  EXPECT_FALSE(step["marks"].empty());
  // ... with the values that it is about.
  EXPECT_EQ(summary["value_lines"], Json::array({10}));
  EXPECT_FALSE(step["step"]["values"].empty());
  EXPECT_EQ(warpwise("view " + place + " " + path("x.wwt").string()), 0);
  EXPECT_NE(content("out").find("C02"), std::string::npos) << content("out");
}

TEST_F(TraceCommand, finds_conflicts_and_uncoalesced_accesses) {
  EXPECT_EQ(trace("--kernel=mistakes --block=1 --no-check"), 0) << content("err");
  EXPECT_EQ(content("out"), "once\n");
  const Json conflict = view("--next=conflict");
  const Json at = view("--warp=0 --step=" + conflict["place"]["step"].dump());
  EXPECT_EQ(at["frames"][0]["line"], 7);
  EXPECT_EQ(at["accesses"][0]["cost"]["wavefronts"], 32);
  EXPECT_EQ(at["accesses"][0]["banks"].size(), 1u);
  const Json uncoalesced = view("--next=uncoalesced");
  const Json store = view("--warp=0 --step=" + uncoalesced["place"]["step"].dump());
  EXPECT_EQ(store["frames"][0]["line"], 9);
  EXPECT_EQ(store["accesses"][0]["stride"], 128);
  EXPECT_EQ(store["accesses"][0]["cost"]["sectors"], 32);
  EXPECT_EQ(store["accesses"][0]["memory"]["argument"], 0);
  EXPECT_EQ(warpwise("view --warp=1 --steps=0..5 " + path("x.wwt").string()), 0);
  EXPECT_NE(content("out").find("warp 1"), std::string::npos);
}

TEST_F(TraceCommand, records_the_values_of_several_lines) {
  EXPECT_EQ(trace("--kernel=mistakes --no-check --values=7,9"), 0) << content("err");
  EXPECT_EQ(view("")["value_lines"], Json::array({7, 9}));
  EXPECT_EQ(trace("--kernel=mistakes --no-check"), 0) << content("err");
  EXPECT_EQ(view("")["value_lines"], Json::array());
}

TEST_F(TraceCommand, has_the_profile_s_sums) {
  EXPECT_EQ(trace(""), 0) << content("err");
  const Json recorded = view("")["profile"];
  EXPECT_EQ(
      warpwise("profile --compiler=clang -q --json=" + path("p.json").string() + " " + path("program.cu").string()), 0);
  const Json profile = Json::parse(content("p.json"));
  ASSERT_EQ(recorded["launches"].size(), 2u);
  for (size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(recorded["launches"][n]["metrics"], profile["launches"][n]["metrics"]);
    EXPECT_EQ(recorded["launches"][n]["lines"], profile["launches"][n]["lines"]);
  }
}

TEST_F(TraceCommand, writes_into_a_pipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread reader(
      [&] { EXPECT_EQ(std::system(("cat " + path("pipe").string() + " >" + path("copy").string()).c_str()), 0); });
  EXPECT_EQ(
      warpwise("trace --compiler=clang --kernel=fill -o " + path("pipe").string() + " " + path("program.cu").string()),
      0)
      << content("err");
  reader.join();
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
  EXPECT_EQ(content("err").find("error"), std::string::npos) << content("err");
  EXPECT_EQ(trace("--kernel=fill"), 0) << content("err");
  EXPECT_EQ(content("copy").substr(0, 8), content("x.wwt").substr(0, 8));
  EXPECT_GT(content("copy").size(), content("x.wwt").size() / 2);
}

TEST_F(TraceCommand, says_what_is_wrong) {
  const auto fails = [&](int code, const char* with) {
    EXPECT_EQ(code, 125) << content("err");
    EXPECT_NE(content("err").find(with), std::string::npos) << content("err");
  };
  fails(trace("--kernel=nothing --no-check"), "V0006");
  fails(trace("--launch=2 --no-check"), "V0006");
  fails(trace("--block=1,x"), "V0007");
  fails(trace("--block=4 --no-check"), "V0007");
  EXPECT_EQ(warpwise("view " + path("program.cu").string()), 1);
  EXPECT_NE(content("err").find("V0001"), std::string::npos) << content("err");
  EXPECT_EQ(warpwise("view " + path("none.wwt").string()), 1);
  EXPECT_NE(content("err").find("U0001"), std::string::npos) << content("err");

  EXPECT_EQ(trace("--no-check --steps=40 --from=5"), 0) << content("err");
  EXPECT_EQ(view("")["recorded"], 40);
  EXPECT_EQ(view("")["warps"][0]["first"], 5);
  for (const auto& [words, code] : {std::pair{"--step=2", "V0008"},
                                    {"--warp=9", "V0008"},
                                    {"--block=3", "V0007"},
                                    {"--next=joy", "U0005"},
                                    {"--steps=5-9", "U0005"}}) {
    EXPECT_EQ(warpwise(std::string("view ") + words + " " + path("x.wwt").string()), 1);
    EXPECT_NE(content("err").find(code), std::string::npos) << words << content("err");
  }
}

}  // namespace
}  // namespace warpwise
