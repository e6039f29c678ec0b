// Handles of memory and of multicast objects (CUmemGenericAllocationHandle), and how calls on them begin.
#pragma once

#include "cuda/driver/call.h"
#include "device/virtual_memory.h"

namespace warpwise::cuda::driver {

// The device's number of the memory, and whether the program asked for compressible memory. Such memory behaves like
// any other; the flag is kept for queries.
constexpr CUmemGenericAllocationHandle kCompressible = 1ull << 32;
// The program asked for memory that it can share with other processes.
constexpr CUmemGenericAllocationHandle kShareable = 1ull << 33;

inline cudaError_t memory_of(CUmemGenericAllocationHandle handle, device::MemoryId* out) {
  const CUmemGenericAllocationHandle number = handle & ~(kCompressible | kShareable);
  *out = static_cast<device::MemoryId>(number);
  return *out == number && number ? cudaSuccess : fail(cudaErrorInvalidValue, "{:#x} is not memory", handle);
}

inline cudaError_t check_flags(unsigned long long flags) {
  return flags ? fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags) : cudaSuccess;
}

// Addresses and memory belong to no context, and none is required: the manual lists CUDA_ERROR_INVALID_CONTEXT for none
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
