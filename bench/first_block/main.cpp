// bench_first_block: how long a launch of a kernel that has to be compiled takes until its first block has run, and how
// long a grid takes that is begun in the interpreter and taken over (docs/internals/tiers.md), beside waiting for the
// compiler.
//
//     bench_first_block             a row for each kernel of tests/simt/large_kernels.h
//     bench_first_block --check     … and fail where a first block takes longer than 0.3 s
//
// Each measurement is a process of its own, so that it pays for loading LLVM, too. There is no cache. The kernel is
// parsed before the clock starts.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "exec/virtual_device.h"
#include "large_kernels.h"

namespace warpwise::bench {
namespace {

constexpr uint32_t kThreads = 64, kBlocks = 100;
constexpr double kMostToFirstBlockMs = 300;

struct Kernel {
  const char* name;
  std::string what, ptx;
};

std::vector<Kernel> kernels() {
  return {{"unrolled", "2,000 instructions in one block", test::unrolled(2'000)},
          {"unrolled", "28,000 instructions in one block", test::unrolled(28'000)},
          {"branching", "550 instructions, 16 loops", test::branching(550)},
          {"branching", "2,200 instructions, 64 loops", test::branching(2'200)},
          {"field", "a tree of calls, 5 levels", test::field(5)},
          {"field", "a tree of calls, 7 levels", test::field(7)}};
}

// Milliseconds from the launch of so many blocks to their end; negative: it failed.
double launch_ms(const Kernel& kernel, exec::TierChoice tiers, uint32_t blocks) {
  exec::DeviceSetup setup;
  setup.options.tiers = tiers;
  auto device = exec::VirtualDevice::create(std::move(setup));
  device::ModuleId module = 0;
  device::Launch launch;
  device::Address out = 0, in = 0;
  const size_t bytes = size_t{kBlocks} * kThreads * 4;
  if (!device.ok() || !(*device)->load_module(kernel.ptx, "kernel.ptx", &module).ok() ||
      !(*device)->find_kernel(module, kernel.name, &launch.kernel).ok() ||
      !(*device)->allocate(bytes, device::MemoryKind::Device, &out).ok() ||
      !(*device)->allocate(1 << 16, device::MemoryKind::Device, &in).ok())
    return -1;
  launch.grid = {blocks};
  launch.block = {kThreads};
  launch.parameters.resize(20);
  const std::array<uint64_t, 2> pointers{out, in};
  std::memcpy(launch.parameters.data(), pointers.data(), sizeof pointers);
  const auto begun = std::chrono::steady_clock::now();
  const bool good = (*device)->submit(0, launch).ok() && (*device)->wait(0).ok();
  return good ? std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count() : -1;
}

// The same in a process of its own, which ends after `most_seconds`: then that is the time.
double apart(const Kernel& kernel, exec::TierChoice tiers, uint32_t blocks, unsigned most_seconds) {
  auto* ms =
      static_cast<double*>(mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *ms = most_seconds * 1e3;
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    *ms = launch_ms(kernel, tiers, blocks);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const double result = *ms;
  munmap(ms, sizeof(double));
  return result;
}

int main(int argc, char** argv) {
  std::string json_file;
  bool checking = false;
  unsigned most_seconds = 60;
  CLI::App app("How long a kernel that has to be compiled takes to its first block", "bench_first_block");
  app.add_option("--json", json_file, "write the results there, too");
  app.add_option("--seconds", most_seconds, "give a measurement up after that time (60)");
  app.add_flag("--check", checking, "exit with 1 when a first block takes longer than 0.3 s");
  CLI11_PARSE(app, argc, argv);

  bool missed = false;
  auto results = nlohmann::json::array();
  fmt::print(
      "ms to the end of        one block          {} blocks\n{:12}        at once  waiting    at once  waiting\n",
      kBlocks, "");
  for (const Kernel& kernel : kernels()) {
    using exec::TierChoice;
    const double first = apart(kernel, TierChoice::Automatic, 1, most_seconds);
    const double waited = apart(kernel, TierChoice::Compiled, 1, most_seconds);
    const double grid = apart(kernel, TierChoice::Automatic, kBlocks, most_seconds);
    const double grid_waited = apart(kernel, TierChoice::Compiled, kBlocks, most_seconds);
    fmt::print("{:20}{:>7.0f} {:>8.0f} {:>10.0f} {:>8.0f}   {}\n", kernel.name, first, waited, grid, grid_waited,
               kernel.what);
    std::fflush(stdout);
    results.push_back({{"kernel", kernel.name},
                       {"what", kernel.what},
                       {"first_block_ms", first},
                       {"first_block_waiting_ms", waited},
                       {"grid_ms", grid},
                       {"grid_waiting_ms", grid_waited}});
    missed = missed || first < 0 || first > kMostToFirstBlockMs;
  }
  if (!json_file.empty()) std::ofstream(json_file) << results.dump(2) << '\n';
  return checking && missed ? 1 : 0;
}

}  // namespace
}  // namespace warpwise::bench

int main(int argc, char** argv) { return warpwise::bench::main(argc, argv); }
