// Launching a kernel, whichever of CUDA's functions asks for it.
#pragma once

#include "cuda/runtime/error.h"
#include "cuda/runtime/module/modules.h"
#include "device/occupancy.h"

namespace warpwise::cuda {

class Process;

inline device::Dim3 to_device(const dim3& size) { return {size.x, size.y, size.z}; }

struct LaunchRequest {
  dim3 grid, block;
  dim3 cluster{1, 1, 1};
  size_t dynamic_shared = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

cudaError_t launch(Process& process, device::Device& gpu, const void* function, const LaunchRequest& request,
                   void** arguments);

// The kernel on the device that a host stub or a cudaKernel_t stands for; cudaErrorInvalidDeviceFunction for anything
// else.
cudaError_t find_kernel(Process& process, device::Device& gpu, const void* function, Kernel** kernel,
                        device::KernelId* id);

// The dynamic shared memory that launches may ask for: the amount that cudaFuncSetAttribute allowed, or what is left of
// the 48 KiB that every block may have.
uint32_t max_dynamic_shared(const device::Device& gpu, const Kernel& kernel, const device::KernelInfo& info);

// The resources of a block of `threads` threads.
device::BlockResources resources_of(const device::Device& gpu, const Kernel& kernel, const device::KernelInfo& info,
                                    unsigned threads, size_t dynamic_shared);

}  // namespace warpwise::cuda
