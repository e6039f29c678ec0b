// The runtime that kernels call: launches from kernels (dynamic parallelism, CUDA programming guide chapter 13) and
// what goes with them. nvcc links these functions from libcudadevrt; here they are a PTX module (device_runtime.cu)
// that is linked to every module that declares one of them and does not define it.
//
// A launch becomes a record in a list that begins in a variable of the module; nothing runs yet. When the launching
// grid has ended, the device takes the list and runs the records, block by block in the order of their launches, each
// with its own children before the next. That is an order CUDA allows: a parent cannot wait for its children, and is
// itself not done before they are. Launches into cudaStreamTailLaunch come last. Streams and events of kernels need
// nothing more, since everything runs in the order of its launch.
#pragma once

#include <string_view>
#include <vector>

#include "device/device.h"
#include "exec/device_runtime/records.h"
#include "ptx/module.h"

namespace warpwise::exec {

class DeviceHeap;

// The PTX of the runtime's functions.
std::string_view device_runtime_ptx();
// Whether the module declares one of them and does not define it. Of text that is no valid module: false.
bool needs_device_runtime(const ptx::Module& module);
bool needs_device_runtime(std::string_view ptx);

// The variables of that module: the list, and the error of a record that found no room.
inline constexpr std::string_view kLaunchList = "__warpwise_launches";
inline constexpr std::string_view kLaunchError = "__warpwise_launch_error";

struct ChildLaunch {
  enum class Kind : uint8_t { Kernel, Copy, Fill } kind = Kind::Kernel;
  uint64_t function = 0;  // ptx::function_address
  device::Dim3 grid, block;
  uint32_t dynamic_shared_bytes = 0;
  uint64_t parent_block = 0;
  bool tail = false;
  std::vector<std::byte> parameters;  // of a kernel
  CopyBox copy;
  FillBox fill;
};

// Empties the list at `list`. In the order in which they are to run.
std::vector<ChildLaunch> take_child_launches(device::Address list, DeviceHeap& heap);

}  // namespace warpwise::exec
