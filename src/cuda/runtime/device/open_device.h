// Where the process's device comes from. libcudart opens the virtual GPU (open_device.cpp); the tests
// bring a device that records what it is asked.
#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace warpwise::cuda {

Result<std::unique_ptr<device::Device>> open_process_device();
// The program ends by itself: what its checkers have found is all there is.
void end_findings(device::Device& gpu);

}  // namespace warpwise::cuda
