// Runs a kernel of PTX on the virtual GPU and answers what was counted, in SIMT or in independent-thread mode: both
// must agree.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "exec/memory/arena.h"
#include "exec/virtual_device.h"
#include "perf/counters/profiler.h"
#include "perf/counters/records.h"

namespace warpwise::perf {

struct CountedKernel {
  device::Dim3 grid{1, 1, 1}, block{32, 1, 1};
  exec::ModeChoice mode = exec::ModeChoice::Automatic;
  bool exact = true, brief = false;
  unsigned threads = 1;
  std::string device = "h100", target = "sm_90";
  // A kernel `k(.param .u64 data, .param .u32 n)`: registers %rd0 (data, global), %r0 (tid.x), %r1 (n) are set.
  std::string body;
  std::string declarations;  // before the kernel
  uint32_t n = 0;
  size_t bytes = 1 << 20;                                  // of data, aligned to 256 at least
  device::MemoryKind memory = device::MemoryKind::Device;  // of data

  // `after`: what the words of data hold then, as many as it has.
  LaunchCounts run(std::vector<uint32_t>* after = nullptr) const;
  // The launches one after the other, the n-th of them with n as its parameter.
  Profile run_with(const std::vector<uint32_t>& each_n, std::vector<uint32_t>* after = nullptr) const;
};

inline std::string kernel_text(const CountedKernel& kernel) {
  return ".version 8.6\n.target " + kernel.target + "\n.address_size 64\n" + kernel.declarations +
         "\n.visible .entry k(.param .u64 data, .param .u32 n)\n{\n"
         ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<32>;\n.reg .f32 %f<32>;\n.reg .b64 %rd<16>;\n.reg .f64 "
         "%d<8>;\n"
         "ld.param.u64 %rd0, [data];\ncvta.to.global.u64 %rd0, %rd0;\nmov.u32 %r0, %tid.x;\nld.param.u32 %r1, [n];\n" +
         kernel.body + "\nret;\n}\n";
}

inline Profile CountedKernel::run_with(const std::vector<uint32_t>& each_n, std::vector<uint32_t>* after) const {
  const auto file = std::filesystem::temp_directory_path() / ("warpwise-counted-" + std::to_string(getpid()));
  std::filesystem::remove(file);
  {
    exec::DeviceSetup setup;
    setup.options.mode = mode;
    setup.options.threads = threads;
    setup.options.device = device;
    auto profiler = make_profiler({file.string(), exact, brief}, *device::find_device(device));
    EXPECT_TRUE(profiler.ok());
    setup.observer = exec::Observer::of(std::move(profiler).value());
    auto device = exec::VirtualDevice::create(std::move(setup));
    EXPECT_TRUE(device.ok());
    const std::string text = kernel_text(*this);
    device::ModuleId module = 0;
    device::KernelId kernel = 0;
    device::Address data = 0;
    device::Status status = (*device)->load_module(text, "k.ptx", &module);
    EXPECT_TRUE(status.ok()) << status.detail;
    status = (*device)->find_kernel(module, "k", &kernel);
    EXPECT_TRUE(status.ok()) << status.detail;
    EXPECT_TRUE((*device)->allocate(bytes, memory, &data).ok());
    for (const uint32_t n : each_n) {
      device::Launch launch{kernel, grid, block};
      launch.parameters.resize(12);
      std::memcpy(launch.parameters.data(), &data, 8);
      std::memcpy(launch.parameters.data() + 8, &n, 4);
      EXPECT_TRUE((*device)->submit(0, std::move(launch)).ok());
    }
    status = (*device)->wait_all();
    EXPECT_TRUE(status.ok()) << status.detail;
    if (after) std::memcpy(after->data(), exec::engine_view(data), after->size() * sizeof(uint32_t));
  }
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return read_records(text.str());
}

inline LaunchCounts CountedKernel::run(std::vector<uint32_t>* after) const {
  const Profile profile = run_with({n}, after);
  EXPECT_EQ(profile.launches.size(), 1u);
  return profile.launches.empty() ? LaunchCounts{} : profile.launches[0];
}

}  // namespace warpwise::perf
