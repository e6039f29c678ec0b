// `warpwise profile` from outside: the program's own output and exit code, counters as JSON, programs that crash.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "perf/counters/records.h"
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
    const std::string command = std::string(WARPWISE_PROGRAM) + " profile " +
                                (options.find("--compiler") == options.npos ? "--compiler=clang " : "") + options +
                                " " + path("program.cu").string() + " " + words + " >" + path("out").string() + " 2>" +
                                path("err").string() + " </dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  }

  toolchain::TemporaryFolder folder_;
};

// 96 values alive across a barrier, and 32 registers for them (1024 threads, two blocks): ptxas must spill, and the
// report says so. Without a toolkit it cannot be known.
TEST_F(ProfileCommand, reports_spilled_registers) {
  ASSERT_TRUE(toolchain::write_file(path("program.cu"), R"(
__global__ void __launch_bounds__(1024, 2) many(float* x) {
  float v[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) v[i] = x[threadIdx.x + i * 1024];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; ++i) x[threadIdx.x + i * 1024] = v[i] * v[95 - i];
}
int main() {
  float* x;
  cudaMalloc(&x, 96 * 4096);
  many<<<1, 1024>>>(x);
  return cudaDeviceSynchronize();
}
)")
                  .ok());
  EXPECT_EQ(profile("", ""), 0) << content("err");
  if (content("err").find("(an estimate)") != std::string::npos) GTEST_SKIP() << "ptxas is not installed";
  EXPECT_NE(content("err").find("ptxas spills registers of this kernel"), std::string::npos) << content("err");
}

// 1024 floats: 32 requests of 4 sectors each way, in any report.
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

// What was counted before the program died is reported; the exit code says how it ended, as in a shell: 128 + SIGABRT.
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
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 122) << content("err");
  EXPECT_NE(content("err").find("worse: "), std::string::npos) << content("err");
  EXPECT_EQ(profile("--baseline=" + path("program.cu").string(), "x"), 125) << content("err");
  // What counted otherwise is refused.
  std::string old = content("kept");
  const std::string version = "\"v\":" + std::to_string(perf::kRecordsVersion);
  ASSERT_NE(old.find(version), std::string::npos) << old.substr(0, 200);
  old.replace(old.find(version), version.size(), "\"v\":1");
  EXPECT_TRUE(toolchain::write_file(path("kept"), old).ok());
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 125) << content("err");
  EXPECT_NE(content("err").find("U0015"), std::string::npos) << content("err");
}

// 122 is "worse than the baseline" and nothing else: a program's 3 is the program's, and its 122 is refused. A baseline
// in a folder that is not there makes the folder.
TEST_F(ProfileCommand, worse_has_a_code_of_its_own) {
  const std::string kept = path("ci").string() + "/runs/kept.json";
  auto ending_with = [&](const char* code) {
    std::string program = kProgram;
    program.replace(program.find("return 7"), 8, "return " + std::string(code));
    EXPECT_TRUE(toolchain::write_file(path("program.cu"), program).ok());
  };
  ending_with("0");
  EXPECT_EQ(profile("--save=" + kept, "x"), 0) << content("err");
  EXPECT_TRUE(fs::is_regular_file(kept));
  ending_with("3");
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 3) << content("err");
  ending_with("122");
  EXPECT_EQ(profile("", "x"), 122) << content("err");
  EXPECT_EQ(profile("--baseline=" + kept, "x"), 125) << content("err");
  EXPECT_NE(content("err").find("122"), std::string::npos) << content("err");
  // A folder that cannot be made is told before the program runs.
  EXPECT_EQ(profile("--save=" + path("program.cu").string() + "/kept.json", "x"), 125) << content("err");
  EXPECT_EQ(content("out"), "") << "asked before the program runs";
}

// A report says where it comes from.
TEST_F(ProfileCommand, reports_can_be_traced) {
  EXPECT_EQ(profile("-q --json=" + path("p.json").string() + " --html=" + path("p.html").string(), "'two words'"), 7);
  const auto json = nlohmann::json::parse(content("p.json"), nullptr, false);
  ASSERT_TRUE(json.is_object());
  const std::string command = json.at("report").at("command");
  EXPECT_TRUE(command.starts_with("warpwise profile ")) << command;
  EXPECT_NE(command.find("'two words'"), std::string::npos) << command;
  EXPECT_FALSE(json.at("report").at("version").get<std::string>().empty());
  EXPECT_NE(content("p.html").find(json.at("report").at("date").get<std::string>().substr(0, 10)), std::string::npos);
}

// Runs by name: the first is the baseline of the second; what got worse, and a name that is not there, have their exit
// codes.
TEST_F(ProfileCommand, against_its_history) {
  setenv("XDG_DATA_HOME", path("data").c_str(), 1);
  std::string program = kProgram;
  program.replace(program.find("return 7"), 8, "return 0");
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), program).ok());
  EXPECT_EQ(profile("--baseline=main", "x"), 125) << content("err");
  EXPECT_NE(content("err").find("U0014"), std::string::npos) << content("err");
  EXPECT_EQ(content("out"), "") << "asked before the program runs";
  EXPECT_EQ(profile("--save=main", "x"), 0) << content("err");
  EXPECT_NE(content("err").find("kept as main@1"), std::string::npos) << content("err");
  const std::string index = "x[blockIdx.x * blockDim.x + threadIdx.x]";
  program.replace(program.find(index), index.size(), "x[(blockIdx.x * blockDim.x + threadIdx.x) * 32 % 1024]");
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), program).ok());
  EXPECT_EQ(profile("--baseline=main --save=main", "x"), 122) << content("err");  // with @1, and not with itself
  EXPECT_EQ(profile("--baseline=main", "x"), 0) << content("err");
  EXPECT_EQ(profile("--baseline=main@1", "x"), 122) << content("err");
  EXPECT_EQ(profile("--save=main --device=a100", "x"), 0) << content("err");
  EXPECT_EQ(profile("--baseline=main@3", "x"), 125) << content("err");
  EXPECT_EQ(profile("--save=main@1", "x"), 125) << content("err");
  EXPECT_EQ(profile("--save='two words'", "x"), 125) << content("err");
  EXPECT_EQ(profile("--save=main", "crash"), 125) << content("err");  // half a run is no baseline

  auto history = [&](const std::string& words) {
    return WEXITSTATUS(std::system((std::string(WARPWISE_PROGRAM) + " profile " + words + " >" + path("out").string() +
                                    " 2>" + path("err").string())
                                       .c_str()));
  };
  EXPECT_EQ(history("--history"), 0) << content("err");
  EXPECT_NE(content("out").find("main "), std::string::npos) << content("out");
  EXPECT_EQ(history("--history=main"), 0) << content("err");
  EXPECT_NE(content("out").find("@3"), std::string::npos) << content("out");
  EXPECT_EQ(history("--history=main --kernel=twice"), 0) << content("err");
  EXPECT_NE(content("out").find("twice(float*)"), std::string::npos) << content("out");
  EXPECT_EQ(history("--history=main --json=-"), 0) << content("err");
  const auto json = nlohmann::json::parse(content("out"), nullptr, false);
  ASSERT_TRUE(json.is_object()) << content("out");
  EXPECT_EQ(json.at("runs").size(), 3u);
  EXPECT_EQ(json.at("runs")[0].at("kernels")[0].at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
            128);
  EXPECT_EQ(history("--history=absent"), 125);
  EXPECT_EQ(history("--kernel=twice"), 125);
  unsetenv("XDG_DATA_HOME");
}

// What a report advises, it can explain: the page as it is installed.
TEST_F(ProfileCommand, advice_is_explained) {
  auto explain = [&](const std::string& words) {
    return WEXITSTATUS(std::system((std::string(WARPWISE_PROGRAM) + " explain " + words + " >" + path("out").string() +
                                    " 2>" + path("err").string())
                                       .c_str()));
  };
  EXPECT_EQ(explain("uncoalesced-loads"), 0) << content("err");
  EXPECT_NE(content("out").find("Loads of global memory are not coalesced\n\n"), std::string::npos) << content("out");
  EXPECT_NE(explain("uncoalesced-load"), 0);
  EXPECT_NE(content("err").find("uncoalesced-loads"), std::string::npos) << content("err");
}

TEST_F(ProfileCommand, beside_another_program) {
  std::string other = kProgram;
  other.replace(other.find("*= 2"), 4, "+= 2");
  EXPECT_TRUE(toolchain::write_file(path("other.cu"), other).ok());
  EXPECT_EQ(profile("--vs=" + path("other.cu").string(), "x"), 7) << content("err");
  EXPECT_NE(content("err").find("after   " + path("other.cu").string()), std::string::npos) << content("err");
  EXPECT_EQ(content("out"), "hello x\nhello x\n");
  // Our options may stand behind the source, too, as far as the program's first argument or `--`.
  EXPECT_EQ(profile("", "--device=a100 --vs " + path("other.cu").string() + " x --device=b"), 7) << content("err");
  EXPECT_NE(content("err").find("A100"), std::string::npos) << content("err");
  EXPECT_NE(content("err").find("after   " + path("other.cu").string()), std::string::npos) << content("err");
  EXPECT_EQ(content("out"), "hello x\nhello x\n");
  EXPECT_EQ(profile("", "-- --vs"), 7) << content("err");
  EXPECT_EQ(content("out"), "hello --vs\n");
}

// Ranges by our headers, in the text and in the timeline; what is known of copies and calls.
TEST_F(ProfileCommand, timeline_and_ranges) {
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), R"(#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
struct ours { static constexpr const char* name = "ours"; };
int main() {
  float *x, *pinned, host[256] = {};
  cudaMalloc(&x, sizeof host);
  cudaMallocHost(&pinned, sizeof host);
  nvtxRangePushA("send");
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyAsync(x, pinned, sizeof host, cudaMemcpyHostToDevice);
  nvtxRangePop();
  nvtx3::scoped_range_in<ours> all{"work", nvtx3::rgb{255, 0, 0}, nvtx3::payload{7}};
  nvtx3::mark("here");
  for (int i = 0; i < 3; ++i) twice<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  return 0;
}
)")
                  .ok());
  EXPECT_EQ(profile("--timeline=" + path("trace.json").string(), ""), 0) << content("err");
  EXPECT_NE(content("err").find("ranges that the program names"), std::string::npos) << content("err");
  const auto trace = nlohmann::json::parse(content("trace.json"), nullptr, false);
  ASSERT_TRUE(trace.is_object()) << content("trace.json");
  unsigned kernels = 0, pageable = 0, pinned = 0, launches = 0, waits = 0, blocks = 0, marks = 0;
  double work = 0, sum = 0;
  for (const auto& e : trace.at("traceEvents")) {
    const std::string name = e.at("name");
    marks += e.at("ph") == "i" && name == "here";
    if (e.at("ph") != "X") continue;
    if (name == "twice") ++kernels, sum += e.at("dur").get<double>();
    if (name == "ours: work") work = std::max(work, e.at("dur").get<double>());
    if (name == "cudaLaunchKernel") ++launches;
    if (name == "cudaDeviceSynchronize") waits += e.at("args").contains("waited for the device, us");
    if (name == "1 block of twice") ++blocks;
    if (name != "copy to device") continue;
    const auto& details = e.at("args");
    const bool of_pageable = details.at("host memory") == "pageable";
    ++(of_pageable ? pageable : pinned);
    EXPECT_EQ(details.at("the host waited"), of_pageable);
  }
  EXPECT_EQ(kernels, 3u);
  EXPECT_EQ(launches, 3u);
  EXPECT_EQ(blocks, 3u);
  EXPECT_EQ(pageable, 1u);
  EXPECT_EQ(pinned, 1u);
  EXPECT_EQ(waits, 1u);
  EXPECT_EQ(marks, 1u);
  EXPECT_GT(work, 0.99 * sum);
}

// Programs that were linked with NVTX 2 find ours.
TEST_F(ProfileCommand, ranges_of_the_library) {
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), R"(extern "C" int nvtxRangePushA(const char*);
extern "C" int nvtxRangePop();
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main() {
  float* x;
  cudaMalloc(&x, 1024);
  int depth = nvtxRangePushA("in the library");
  twice<<<1, 256>>>(x);
  nvtxRangePop();
  cudaDeviceSynchronize();
  return depth;
}
)")
                  .ok());
  EXPECT_EQ(profile("-lnvToolsExt", ""), 0) << content("err");
  EXPECT_NE(content("err").find("in the library"), std::string::npos) << content("err");
}

// NVIDIA's header looks for a tool when it is first used, and finds our library.
TEST_F(ProfileCommand, ranges_of_nvidias_header) {
  const char* header = "/usr/local/cuda/include/nvtx3/nvToolsExt.h";
  if (!fs::exists(header)) GTEST_SKIP() << "no toolkit here: " << header;
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), R"(#include <nvtx3/nvToolsExt.h>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main() {
  float* x;
  cudaMalloc(&x, 1024);
  nvtxDomainHandle_t domain = nvtxDomainCreateA("ours");
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION, attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED, attributes.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  int depth = nvtxDomainRangePushEx(domain, &attributes);
  nvtxRangePushW(L"wide");
  twice<<<1, 256>>>(x);
  nvtxRangePop();
  nvtxDomainRangePop(domain);
  cudaDeviceSynchronize();
  return depth;
}
)")
                  .ok());
  EXPECT_EQ(profile("--compiler=nvcc", ""), 0) << content("err");
  EXPECT_NE(content("err").find("ours: registered"), std::string::npos) << content("err");
  EXPECT_NE(content("err").find("wide"), std::string::npos) << content("err");
}

// Clocks of kernels are the model's: a multiply-add that waits for the one before takes 4 (device/architectures.inc), a
// kernel that waits for 1,980,000 clocks of an H100 a millisecond, and a called function's clock, which is not
// modelled, is said to be the host's.
TEST_F(ProfileCommand, clocks_of_kernels) {
  EXPECT_TRUE(toolchain::write_file(path("program.cu"), R"(#include <cstdio>
__global__ void chain(float* x, long long* clocks, unsigned* halves) {
  float a = x[threadIdx.x];
  unsigned long long from, to;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
  long long begin = clock64();
  clock_t low = clock();
#pragma unroll
  for (int i = 0; i < 256; ++i) a = a * 1.5f + 0.25f;
  x[threadIdx.x] = a;
  halves[0] = (unsigned)(clock() - low);
  clocks[0] = clock64() - begin;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
  clocks[1] = to - from;
}
__global__ void wait(long long clocks) {
  long long begin = clock64();
  while (clock64() - begin < clocks) {}
}
int main() {
  float* x;
  long long *device, clocks[2];
  unsigned *halves, low;
  cudaMalloc(&x, 1024), cudaMalloc(&device, sizeof clocks), cudaMalloc(&halves, 4);
  chain<<<1, 256>>>(x, device, halves);
  cudaMemcpy(clocks, device, sizeof clocks, cudaMemcpyDeviceToHost);
  cudaMemcpy(&low, halves, 4, cudaMemcpyDeviceToHost);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  cudaEventRecord(begin);
  wait<<<1, 1>>>(1980000);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds;
  cudaEventElapsedTime(&milliseconds, begin, end);
  std::printf("%lld %u %lld %.4f\n", clocks[0], low, clocks[1], milliseconds);
}
)")
                  .ok());
  EXPECT_EQ(profile("--device=h100", ""), 0) << content("err");
  EXPECT_NE(content("err").find("times that the program asks for are modelled"), std::string::npos) << content("err");
  long long clocks = 0, nanoseconds = 0;
  unsigned low = 0;
  double milliseconds = 0;
  ASSERT_EQ(std::sscanf(content("out").c_str(), "%lld %u %lld %lf", &clocks, &low, &nanoseconds, &milliseconds), 4)
      << content("out");
  EXPECT_NEAR(double(clocks), 256 * 4 + 281, 20);  // and the first waits for its load
  EXPECT_NEAR(double(low), double(clocks), 20);
  EXPECT_NEAR(double(nanoseconds), double(clocks) / 1.98, 20);
  EXPECT_NEAR(milliseconds, 1.0, 0.05);
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
