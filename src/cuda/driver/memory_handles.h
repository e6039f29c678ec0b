// Handles of memory and of multicast objects (CUmemGenericAllocationHandle), and how calls about them begin.
#pragma once

#include "cuda/driver/call.h"
#include "device/virtual_memory.h"

namespace warpwise::cuda::driver {

// Handles are the device's numbers, and whether the program asked for memory that the GPU may compress. Such
// memory holds what any memory holds; a program that asked wants to hear that it got it.
constexpr CUmemGenericAllocationHandle kCompressible = 1ull << 32;
// The program asked for memory that it can hand to other processes.
constexpr CUmemGenericAllocationHandle kShareable = 1ull << 33;

inline cudaError_t memory_of(CUmemGenericAllocationHandle handle, device::MemoryId* out) {
  const CUmemGenericAllocationHandle number = handle & ~(kCompressible | kShareable);
  *out = static_cast<device::MemoryId>(number);
  return *out == number && number ? cudaSuccess : fail(cudaErrorInvalidValue, "{:#x} is no memory", handle);
}

inline cudaError_t check_flags(unsigned long long flags) {
  return flags ? fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags) : cudaSuccess;
}

// Addresses and memory belong to no context, and none is asked for: the manual lists CUDA_ERROR_INVALID_CONTEXT at none
// of these functions.
template <class Body>
CUresult with_virtual_memory(const char* function, Body&& body) {
  return call(function, Needs::Init, [&](Process&, device::Device& gpu) -> cudaError_t {
    device::VirtualMemory* memory = gpu.virtual_memory();
    if (!memory) return fail(cudaErrorNotSupported, "this device has no virtual memory management");
    return body(*memory);
  });
}

}  // namespace warpwise::cuda::driver
