// Device memory: allocating, freeing, and the attributes of a pointer.
#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// Rows of pitched memory start at multiples of this (the value that CUDA reports for devices since 2.0).
constexpr size_t kPitchAlignment = 512;

cudaError_t allocate(device::Device& gpu, void** pointer, size_t size, device::MemoryKind kind) {
  CUDA_TRY(Process::instance().captures.allow_unsafe());
  device::Address base = 0;
  CUDA_TRY(fail(gpu.allocate(size, kind, &base)));
  *pointer = reinterpret_cast<void*>(base);
  Process::instance().checks.allocated(base, size);
  Process::instance().devices.note_allocated(base);
  return cudaSuccess;
}

// depth slices of height rows of width bytes; `out` gets null when there is nothing to allocate.
cudaError_t allocate_pitched(device::Device& gpu, cudaExtent extent, void** pointer, size_t* pitch) {
  *pointer = nullptr;
  *pitch = 0;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
  size_t rows = 0, bytes = 0, row = 0;
  if (__builtin_add_overflow(extent.width, kPitchAlignment - 1, &row) ||
      __builtin_mul_overflow(extent.height, extent.depth, &rows) ||
      __builtin_mul_overflow(row / kPitchAlignment * kPitchAlignment, rows, &bytes))
    return fail(cudaErrorMemoryAllocation, "{} x {} x {} bytes are more than there are addresses", extent.width,
                extent.height, extent.depth);
  CUDA_TRY(allocate(gpu, pointer, bytes, device::MemoryKind::Device));
  *pitch = row / kPitchAlignment * kPitchAlignment;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return call("cudaMalloc", [&](Process&, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
    if (size == 0) {
      *pointer = nullptr;
      return cudaSuccess;
    }
    return allocate(gpu, pointer, size, device::MemoryKind::Device);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  return call("cudaMallocManaged", [&](Process&, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
    if (flags != 1 && flags != 2)
      return fail(cudaErrorInvalidValue, "flags {:#x}: cudaMemAttachGlobal (1) or cudaMemAttachHost (2)", flags);
    if (size == 0) {
      *pointer = nullptr;
      return cudaSuccess;
    }
    return allocate(gpu, pointer, size, device::MemoryKind::Managed);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return call("cudaMallocPitch", [&](Process&, device::Device& gpu) -> cudaError_t {
    if (!pointer || !pitch) return fail(cudaErrorInvalidValue, "the pointer for the address or the pitch is null");
    return allocate_pitched(gpu, {width, height, 1}, pointer, pitch);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call("cudaMalloc3D", [&](Process&, device::Device& gpu) -> cudaError_t {
    if (!pitched) return fail(cudaErrorInvalidValue, "the pointer for the pointer is null");
    cudaPitchedPtr result{nullptr, 0, extent.width, extent.height};
    CUDA_TRY(allocate_pitched(gpu, extent, &result.ptr, &result.pitch));
    *pitched = result;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* pointer) {
  Process::instance().checks.free_requested(pointer);
  return call("cudaFree", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return cudaSuccess;
    CUDA_TRY(process.captures.allow_unsafe());
    auto base = reinterpret_cast<device::Address>(pointer);
    if (process.graphs.freed_by_program(base)) return fail(gpu.wait_all());
    // "The driver assumes that all accesses to the allocation have completed and performs no further synchronization"
    // (Guide, Stream Ordered Memory Allocator).
    if (process.pools.owner(base)) return process.pools.free(gpu, pointer, std::nullopt);
    auto invalid = [&](cudaError_t error) { return process.checks.misused("C0503", pointer, error); };
    auto allocation = gpu.find_allocation(base);
    if (!allocation)
      return invalid(
          fail(cudaErrorInvalidValue, "{} is not an address of device memory, or was freed before", pointer));
    if (allocation->base != base)
      return invalid(fail(cudaErrorInvalidValue,
                          "{} is {} bytes into an allocation; only its first address can be freed", pointer,
                          base - allocation->base));
    if (allocation->kind == device::MemoryKind::Pinned)
      return invalid(fail(cudaErrorInvalidValue, "{} is pinned host memory, which cudaFreeHost frees", pointer));
    CUDA_TRY(fail(gpu.free(base)));
    process.checks.freed(base);
    process.devices.note_freed(base);
    process.pools.note_freed(base);
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return call("cudaMemGetInfo", [&](Process&, device::Device& gpu) -> cudaError_t {
    size_t free_now = 0, total = 0;
    gpu.memory_info(&free_now, &total);
    if (free_bytes) *free_bytes = free_now;
    if (total_bytes) *total_bytes = total;
    return cudaSuccess;
  });
}

// The structure of CUDA 12 ends before the reserved words of CUDA 13's, so they are not written.
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call("cudaPointerGetAttributes", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!attributes) return fail(cudaErrorInvalidValue, "the pointer for the attributes is null");
    void* address = const_cast<void*>(pointer);
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // cudaInvalidDeviceId
    attributes->devicePointer = nullptr;
    attributes->hostPointer = address;
    if (auto allocation = gpu.find_allocation(process.shadows.on_device(reinterpret_cast<device::Address>(pointer)))) {
      attributes->device = process.devices.owner_of(allocation->base);
      attributes->devicePointer = address;
      switch (allocation->kind) {
        case device::MemoryKind::Device:
          attributes->type = cudaMemoryTypeDevice;
          attributes->hostPointer = nullptr;
          break;
        case device::MemoryKind::Managed:
          attributes->type = cudaMemoryTypeManaged;
          break;
        case device::MemoryKind::Pinned:
          attributes->type = cudaMemoryTypeHost;
          break;
      }
      if (const auto range = process.host_ranges.find_on_device(reinterpret_cast<device::Address>(pointer)))
        attributes->hostPointer =
            reinterpret_cast<void*>(range->base + (reinterpret_cast<device::Address>(pointer) - range->device));
    } else if (const auto range = process.host_ranges.find(pointer)) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
      device::Address reached = 0;
      if ((range->flags & kHostRegisterMapped) && process.host_ranges.reach(gpu, pointer, &reached).ok())
        attributes->devicePointer = reinterpret_cast<void*>(reached);
    }
    return cudaSuccess;
  });
}
