// Where the process's device comes from. libcudart opens the virtual GPU (open_device.cpp); the tests supply a device
// that records its calls.
#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::cuda {

Result<std::unique_ptr<device::Device>> open_process_device();
// The program ends of its own accord: its checkers will find nothing more.
void end_findings(device::Device& gpu);

}  // namespace warpwise::cuda
