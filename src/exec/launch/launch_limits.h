// What a device accepts as a launch, and how many blocks it holds at once.
//
// Reference: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; the failures
// are those of cudaLaunchKernel.
#pragma once

#include <cstdint>

#include "device/device.h"
#include "device/properties.h"

namespace warpwise::exec {

// How many blocks of a kernel an SM holds at the same time, by device/occupancy.h.
unsigned blocks_per_sm(const device::Properties& properties, const device::KernelInfo& kernel, uint32_t threads,
                       uint32_t dynamic_shared_bytes);

// The cluster of a launch: what it asks for, or what the kernel is compiled for (.reqnctapercluster).
device::Dim3 cluster_of(const device::KernelInfo& kernel, const device::Launch& launch);

// Whether the launch is within the limits. `dynamic_shared_limit`: what the kernel has been allowed.
device::Status check_launch(const device::Properties& properties, const device::KernelInfo& kernel,
                            const device::Launch& launch, uint32_t dynamic_shared_limit);

}  // namespace warpwise::exec
