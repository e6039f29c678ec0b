// A kernel of kernels.inc: compiled from its source, launched on a device of its own, in one piece of memory.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "exec/observer.h"
#include "exec/virtual_device.h"
#include "trace/recorder.h"
#include "warpwise/compile.h"

namespace warpwise::trace {

struct TracedKernel {
  const char *file, *kernel;
  uint32_t grid_x, grid_y, block_x, block_y, shared_bytes;
  const char* arguments;
};

inline std::ostream& operator<<(std::ostream& out, const TracedKernel& row) {
  return out << std::filesystem::path(row.file).parent_path().parent_path().filename().string() << " " << row.kernel;
}

inline const std::vector<TracedKernel>& traced_kernels() {
  static const std::vector<TracedKernel> kRows = {
#define TRACED(file, kernel, grid_x, grid_y, block_x, block_y, shared, arguments) \
  {file, kernel, grid_x, grid_y, block_x, block_y, shared, arguments},
#include "trace/kernels.inc"
#undef TRACED
  };
  return kRows;
}

// The PTX of a file; compiled once.
inline const std::string& ptx_of(const std::string& file) {
  static std::map<std::string, std::string> known;
  std::string& ptx = known[file];
  if (ptx.empty()) {
    CompileOptions options;
    options.compiler = Compiler::Clang;
    auto made = compile_cuda_file(std::string(WARPWISE_SOURCE_DIR "/") + file, options);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    if (made.ok()) ptx = *made;
  }
  return ptx;
}

// What a launch's memory looks like before it: the same each time.
struct LaunchMemory {
  std::vector<std::byte> bytes;
  std::vector<std::byte> parameters;  // with offsets in `bytes` for pointers ...
  std::vector<size_t> pointers;       // ... at these places

  void add_array(char type, size_t count) {
    constexpr size_t kAlign = 256;
    bytes.resize((bytes.size() + kAlign - 1) / kAlign * kAlign);
    const uint64_t at = bytes.size();
    const auto add = [&](auto value) {
      bytes.resize(bytes.size() + sizeof value);
      std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
    };
    for (uint32_t n = 0; n < count; ++n) {
      const uint32_t random = (n + uint32_t(at)) * 2654435761u >> 20;
      if (type == 'f') add(float(random) / 4096);
      if (type == 'n') add(random % 16);
      if (type == 'c') add(uint8_t(random % 16));
      if (type == 'h') add(uint16_t(0x3000 + random % 0x800));
    }
    align(8);
    pointers.push_back(parameters.size());
    put(at);
  }
  template <class T>
  void put(T value) {
    align(sizeof value);
    parameters.resize(parameters.size() + sizeof value);
    std::memcpy(parameters.data() + parameters.size() - sizeof value, &value, sizeof value);
  }
  void align(size_t to) { parameters.resize((parameters.size() + to - 1) / to * to); }
};

inline LaunchMemory memory_of(const TracedKernel& row) {
  LaunchMemory memory;
  std::istringstream words(row.arguments);
  for (std::string word; words >> word;) {
    const std::string value = word.substr(1);
    if (word[0] == 'i')
      memory.put(int32_t(std::stoi(value)));
    else if (word[0] == 'x')
      memory.put(std::stof(value));
    else
      memory.add_array(word[0], std::stoul(value));
  }
  return memory;
}

// Launches the kernel on a device of this setup. Returns where its memory began.
inline device::Address launch(const TracedKernel& row, exec::DeviceSetup setup,
                              const std::function<void(device::Device&)>& before = {}) {
  setup.options.threads = 1;
  auto device = exec::VirtualDevice::create(std::move(setup));
  EXPECT_TRUE(device.ok());
  device::Device& gpu = **device;
  device::ModuleId module = 0;
  device::KernelId kernel = 0;
  device::Status status = gpu.load_module(ptx_of(row.file), row.file, &module);
  EXPECT_TRUE(status.ok()) << status.detail;
  std::vector<std::string> names;
  EXPECT_TRUE(gpu.list_kernels(module, &names).ok());
  std::string symbol;
  const std::string mangled = std::to_string(std::strlen(row.kernel)) + row.kernel;
  for (const std::string& name : names)
    if (name == row.kernel || name.find(mangled) != name.npos) symbol = name;
  status = gpu.find_kernel(module, symbol, &kernel);
  EXPECT_TRUE(status.ok()) << row.kernel << ": " << status.detail;
  if (!status.ok()) return 0;

  LaunchMemory memory = memory_of(row);
  device::Address base = 0;
  EXPECT_TRUE(gpu.allocate(memory.bytes.size(), device::MemoryKind::Device, &base).ok());
  for (const size_t at : memory.pointers) {
    uint64_t address = 0;
    std::memcpy(&address, memory.parameters.data() + at, sizeof address);
    address += base;
    std::memcpy(memory.parameters.data() + at, &address, sizeof address);
  }
  device::CopyShape shape{
      .width = memory.bytes.size(), .dst_pitch = memory.bytes.size(), .src_pitch = memory.bytes.size()};
  EXPECT_TRUE(gpu.submit(0, device::CopyToDevice{base, memory.bytes.data(), shape}).ok());
  EXPECT_TRUE(gpu.wait(0).ok());
  if (before) before(gpu);
  device::Launch command{kernel, {row.grid_x, row.grid_y, 1}, {row.block_x, row.block_y, 1}};
  command.dynamic_shared_bytes = row.shared_bytes;
  command.parameters = memory.parameters;
  command.parameters.resize(gpu.kernel_info(kernel).parameter_bytes);
  EXPECT_TRUE(gpu.submit(0, std::move(command)).ok());
  status = gpu.wait_all();
  EXPECT_TRUE(status.ok()) << status.detail;
  return base;
}

}  // namespace warpwise::trace
