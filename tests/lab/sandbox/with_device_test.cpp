// Whole programs in the sandbox on a device outside: an honest one works, and what a tampered one does stays with it.
#include "lab/sandbox/with_device.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "exec/virtual_device.h"
#include "toolchain/build.h"
#include "toolchain/files.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

class WithDevice : public testing::Test {
 protected:
  WithDevice() : folder_(std::move(toolchain::TemporaryFolder::create(fs::temp_directory_path())).value()) {
    fs::create_directory(folder_.path() / "own");
    exec::DeviceSetup setup;
    setup.options.timeout_seconds = 2;
    setup.print = [this](std::string_view text) { printed_ += text; };
    gpu_ = std::move(exec::VirtualDevice::create(std::move(setup))).value();
    server_ = std::make_unique<device::remote::Server>(*gpu_);
    EXPECT_TRUE(gpu_->allocate(kElements * sizeof(uint32_t), device::MemoryKind::Device, &output_).ok());
  }
  static constexpr size_t kElements = 256;

  // `body`: of main, which finds the output's address in `out` and N in `n`.
  ServedOutcome run(const std::string& body, const std::string& before = "") {
    fs::path source = folder_.path() / "program.cu";
    std::ofstream(source) << R"(
#include <cstdio>
#include <cstdlib>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>
__global__ void fill(unsigned* out, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = i * i; }
__global__ void hello() { printf("hello from the device\n"); }
__global__ void endless(volatile unsigned* out) { while (out[0] != 1) {} }
)" << before << R"(
int main(int, char** words) {
  unsigned* out = reinterpret_cast<unsigned*>(strtoull(words[1], nullptr, 0));
  unsigned n = atoi(words[2]);
)" << body << "\n  return 0;\n}\n";
    toolchain::BuildRequest request;
    request.flags = std::move(toolchain::parse_flags({source.string()})).value();
    request.compiler = toolchain::CompilerChoice::Clang;
    std::string said;
    request.say = [&](std::string_view text) { said += text; };
    auto program = toolchain::build_program(request, toolchain::Cache::from_environment());
    EXPECT_TRUE(program.ok()) << said;
    if (!program.ok()) return {};

    Job job;
    toolchain::Installation here = toolchain::Installation::find();
    job.command = {program->executable.string(), std::to_string(output_), std::to_string(kElements)};
    job.environment = {std::string(toolchain::kModulesVariable) + "=" + program->modules.string()};
    for (const auto& variable : toolchain::program_environment(here)) job.environment.push_back(variable.text());
    job.folder = (folder_.path() / "own").string();
    job.readable = system_folders();
    for (const fs::path& path : {program->executable, program->modules, here.libraries})
      job.readable.push_back(path.string());
    job.writable = {job.folder};
    job.limits.wall_seconds = 20;
    auto served = run_with_device(std::move(job), *server_);
    EXPECT_TRUE(served.ok()) << served.error().message;
    return served.ok() ? std::move(served).value() : ServedOutcome{};
  }
  std::vector<uint32_t> output() {
    std::vector<uint32_t> numbers(kElements);
    size_t bytes = kElements * sizeof(uint32_t);
    EXPECT_TRUE(gpu_->submit(0,
                             device::CopyFromDevice{
                                 numbers.data(), output_, {.width = bytes, .dst_pitch = bytes, .src_pitch = bytes}})
                    .ok());
    EXPECT_TRUE(gpu_->wait_all().ok());
    return numbers;
  }

  toolchain::TemporaryFolder folder_;
  std::string printed_;
  std::unique_ptr<exec::VirtualDevice> gpu_;
  std::unique_ptr<device::remote::Server> server_;
  device::Address output_ = 0;
};

TEST_F(WithDevice, AnHonestProgram) {
  ServedOutcome served = run(R"(
  fill<<<4, 64>>>(out, n);
  hello<<<1, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned* own = nullptr;
  std::vector<unsigned> host(n, 7);
  if (cudaMalloc(&own, n * sizeof *own) != cudaSuccess) return 2;
  cudaMemcpy(own, host.data(), n * sizeof *own, cudaMemcpyHostToDevice);
  cudaMemcpy(own, out, n / 2 * sizeof *own, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host.data(), own, n * sizeof *own, cudaMemcpyDeviceToHost);
  if (host[3] != 9 || host[n - 1] != 7) return 3;
  cudaFree(own);
  puts("done");)");
  EXPECT_TRUE(served.outcome.ok()) << served.outcome.sentence() << served.outcome.errors;
  EXPECT_EQ(served.outcome.output, "done\n");
  EXPECT_TRUE(served.outcome.refused.empty()) << served.outcome.refused[0];
  EXPECT_EQ(printed_, "hello from the device\n");
  EXPECT_EQ(output()[255], 255u * 255u);
}

TEST_F(WithDevice, ManagedMemoryIsRefusedByName) {
  ServedOutcome served = run(R"(
  int* p = nullptr;
  if (cudaMallocManaged(&p, 64) != cudaErrorNotSupported) return 1;)");
  EXPECT_TRUE(served.outcome.ok()) << served.outcome.sentence();
}

TEST_F(WithDevice, AnEndlessKernelEnds) {
  ServedOutcome served =
      run("endless<<<1, 1>>>(out); return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 5 : 6;");
  EXPECT_EQ(served.outcome.code, 5) << served.outcome.sentence();
}

// The runtime's own memory, and its socket, belong to the program.
TEST_F(WithDevice, Tampering) {
  const std::string socket = "int device = atoi(getenv(\"WARPWISE_DEVICE_DESCRIPTOR\"));";
  ServedOutcome nonsense = run(socket +
                               "cudaFree(0); for (int i = 0; i < 100; ++i) if (send(device, \"nonsense\", 8, "
                               "MSG_NOSIGNAL) < 0) break; sleep(100);");
  EXPECT_NE(nonsense.broken, "");
  EXPECT_EQ(nonsense.outcome.end, End::Cancelled);
  ServedOutcome closed = run(
      socket + "cudaFree(0); close(device); fill<<<1, 1>>>(out, n); return cudaDeviceSynchronize() == cudaSuccess;");
  EXPECT_EQ(closed.outcome.code, 0);
  ServedOutcome early = run("", "struct Early { Early() { _exit(0); } } early;");
  EXPECT_TRUE(early.outcome.ok());
  EXPECT_EQ(output()[255], output()[254]) << "nothing was written";
}

TEST_F(WithDevice, TheJudgesMemoryIsNotFreed) {
  ServedOutcome served =
      run("if (cudaFree(out) == cudaSuccess) return 1; cudaDeviceReset(); *(volatile unsigned*)out = 1;");
  EXPECT_EQ(served.outcome.code, SIGSEGV) << "device memory is not there";
  EXPECT_TRUE(gpu_->find_allocation(output_).has_value());
}

}  // namespace
}  // namespace warpwise::lab::sandbox
