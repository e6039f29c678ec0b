// Where the process's device comes from. libcudart opens the virtual GPU (open_device.cpp); the tests supply a device
// that records its calls.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::exec {
struct Options;
}

namespace warpwise::cuda {

Result<std::unique_ptr<device::Device>> open_process_device();

// What the program around a device takes part in.
struct DeviceOwner {
  std::function<void(std::string_view)> print;  // takes what kernels print; empty: it goes to stdout
  const std::atomic<bool>* stop = nullptr;      // ends kernels when it becomes true; null: ^C alone does
};
// The virtual GPU that `options` describe, with their checkers and their profiler.
__attribute__((visibility("default"))) Result<std::unique_ptr<device::Device>> open_virtual_gpu(
    const exec::Options& options, DeviceOwner owner = {});
// The program ends of its own accord: its checkers will find nothing more.
void end_findings(device::Device& gpu);

}  // namespace warpwise::cuda
