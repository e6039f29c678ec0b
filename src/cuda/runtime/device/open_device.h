// Where the process's device comes from. libcudart opens the virtual GPU (open_device.cpp); the tests supply a device
// that records its calls.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::exec {
struct Options;
}

namespace warpwise::cuda {

Result<std::unique_ptr<device::Device>> open_process_device();

// One block of one launch, to be recorded step by step.
struct BlockToRecord {
  std::string file;                   // of the steps
  std::string kernel;                 // its name; "": any
  uint64_t launch = 0;                // from 0, among those of that kernel
  std::array<uint32_t, 3> block{};    // where in the grid
  uint64_t first_step = 0;            // of each warp
  uint64_t steps = 0;                 // at most, all warps together
  std::vector<uint32_t> value_lines;  // lines of source whose values are recorded
  // Takes why nothing was recorded, when end_findings() is called.
  std::function<void(const Error&)> trouble;
};

// What the program around a device takes part in.
struct DeviceOwner {
  std::function<void(std::string_view)> print;  // takes what kernels print; empty: it goes to stdout
  const std::atomic<bool>* stop = nullptr;      // ends kernels when it becomes true; null: ^C alone does
  std::optional<BlockToRecord> record{};        // where the options ask for no checkers, profile or trace
};
// The virtual GPU that `options` describe, with their checkers and their profiler.
__attribute__((visibility("default"))) Result<std::unique_ptr<device::Device>> open_virtual_gpu(
    const exec::Options& options, DeviceOwner owner = {});
// A real GPU, by NVIDIA's driver and in its primary context, which others in this process may use, too. R0601, R0602.
__attribute__((visibility("default"))) Result<std::unique_ptr<device::Device>> open_real_gpu(unsigned ordinal);
// Its default stream is `stream` from here on: a CUstream.
__attribute__((visibility("default"))) void use_as_default_stream(device::Device& gpu, void* stream);
// The program ends of its own accord: its checkers will find nothing more, and its recorder waits for no more launches.
__attribute__((visibility("default"))) void end_findings(device::Device& gpu);

}  // namespace warpwise::cuda
