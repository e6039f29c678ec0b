// Virtual memory management: ranges of addresses, memory, and mappings of one into the other.
#include "device/virtual_memory.h"

#include <fcntl.h>

#include <cstring>

#include "cuda/driver/devices.h"
#include "cuda/driver/memory_handles.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

cudaError_t check_properties(const CUmemAllocationProp* properties) {
  CUDA_TRY(check_out(properties));
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return fail(cudaErrorInvalidValue, "memory is of CU_MEM_ALLOCATION_TYPE_PINNED");
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return fail(
        properties->location.type == CU_MEM_LOCATION_TYPE_INVALID ? cudaErrorInvalidValue : cudaErrorNotSupported,
        "host memory cannot be mapped yet: the location is a device");
  return check_device(properties->location.id);
}

cudaError_t check_handle_type(CUmemAllocationHandleType type) {
  return type == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
             ? cudaSuccess
             : fail(cudaErrorNotSupported,
                    "processes share memory through file descriptors here, and through no other type of handle");
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* properties,
                                       CUmemAllocationGranularity_flags option) {
  return with_virtual_memory("cuMemGetAllocationGranularity", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(granularity));
    CUDA_TRY(check_properties(properties));
    if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
      return fail(cudaErrorInvalidValue, "{} is not a granularity", static_cast<int>(option));
    *granularity = memory.granularity();
    return cudaSuccess;
  });
}

// The address that a program asks for is a hint.
CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long flags) {
  return with_virtual_memory("cuMemAddressReserve", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(address));
    CUDA_TRY(check_flags(flags));
    device::Address base = 0;
    CUDA_TRY(fail(memory.reserve(bytes, alignment, &base)));
    *address = base;
    return cudaSuccess;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return with_virtual_memory("cuMemAddressFree",
                             [&](device::VirtualMemory& memory) { return fail(memory.free(address, bytes)); });
}

CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long flags) {
  return with_virtual_memory("cuMemCreate", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(handle));
    CUDA_TRY(check_properties(properties));
    CUDA_TRY(check_flags(flags));
    const bool shareable = properties->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE;
    if (shareable) CUDA_TRY(check_handle_type(properties->requestedHandleTypes));
    device::MemoryId id = 0;
    CUDA_TRY(fail(memory.create(bytes, static_cast<unsigned>(properties->location.id), &id)));
    *handle = id | (properties->allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_GENERIC ? kCompressible : 0) |
              (shareable ? kShareable : 0);
    return cudaSuccess;
  });
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return with_virtual_memory("cuMemRelease", [&](device::VirtualMemory& memory) -> cudaError_t {
    device::MemoryId id = 0;
    CUDA_TRY(memory_of(handle, &id));
    return fail(memory.release(id));
  });
}

CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return with_virtual_memory("cuMemRetainAllocationHandle", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(handle));
    device::MemoryId id = 0;
    CUDA_TRY(fail(memory.retain(address_of(address), &id)));
    *handle = id;
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return with_virtual_memory("cuMemMap", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_flags(flags));
    device::MemoryId id = 0;
    CUDA_TRY(memory_of(handle, &id));
    return fail(memory.map(address, bytes, id, offset));
  });
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return with_virtual_memory("cuMemUnmap",
                             [&](device::VirtualMemory& memory) { return fail(memory.unmap(address, bytes)); });
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* descriptors, size_t count) {
  return with_virtual_memory("cuMemSetAccess", [&](device::VirtualMemory& memory) -> cudaError_t {
    if (!descriptors || count == 0) return fail(cudaErrorInvalidValue, "no descriptions");
    for (size_t i = 0; i < count; ++i) {
      if (descriptors[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return fail(cudaErrorNotSupported, "access can be given to devices only");
      CUDA_TRY(check_device(descriptors[i].location.id));
      switch (descriptors[i].flags) {
        case CU_MEM_ACCESS_FLAGS_PROT_NONE:
          CUDA_TRY(fail(memory.set_access(address, bytes, device::Access::None)));
          break;
        case CU_MEM_ACCESS_FLAGS_PROT_READ:
          CUDA_TRY(fail(memory.set_access(address, bytes, device::Access::Read)));
          break;
        case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
          CUDA_TRY(fail(memory.set_access(address, bytes, device::Access::ReadWrite)));
          break;
        default:
          return fail(cudaErrorInvalidValue, "{:#x} is not an access flag",
                      static_cast<unsigned>(descriptors[i].flags));
      }
    }
    return cudaSuccess;
  });
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return with_virtual_memory("cuMemGetAccess", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(flags));
    CUDA_TRY(check_out(location));
    CUDA_TRY(check_device(location->id));
    device::Access access = device::Access::None;
    CUDA_TRY(fail(memory.get_access(address, &access)));
    *flags = access == device::Access::ReadWrite ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
             : access == device::Access::Read    ? CU_MEM_ACCESS_FLAGS_PROT_READ
                                                 : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return cudaSuccess;
  });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties, CUmemGenericAllocationHandle handle) {
  return with_virtual_memory("cuMemGetAllocationPropertiesFromHandle",
                             [&](device::VirtualMemory& memory) -> cudaError_t {
                               CUDA_TRY(check_out(properties));
                               device::MemoryId id = 0;
                               CUDA_TRY(memory_of(handle, &id));
                               unsigned home = 0;
                               CUDA_TRY(fail(memory.home_of(id, &home)));
                               *properties = {};
                               properties->type = CU_MEM_ALLOCATION_TYPE_PINNED;
                               properties->location = {CU_MEM_LOCATION_TYPE_DEVICE, static_cast<int>(home)};
                               if (handle & kShareable)
                                 properties->requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
                               if (handle & kCompressible)
                                 properties->allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
                               return cudaSuccess;
                             });
}

CUresult cuMemExportToShareableHandle(void* out, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType type,
                                      unsigned long long flags) {
  return with_virtual_memory("cuMemExportToShareableHandle", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(out));
    CUDA_TRY(check_flags(flags));
    CUDA_TRY(check_handle_type(type));
    device::MemoryId id = 0;
    CUDA_TRY(memory_of(handle, &id));
    if (!(handle & kShareable))
      return fail(cudaErrorInvalidValue, "the memory was created without requestedHandleTypes");
    int file = -1;
    CUDA_TRY(fail(memory.file_of(id, &file)));
    const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);  // the program sends it and closes it
    if (own < 0) return fail(cudaErrorMemoryAllocation, "the host cannot create a file for the handle");
    std::memcpy(out, &own, sizeof own);
    return cudaSuccess;
  });
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* os_handle,
                                        CUmemAllocationHandleType type) {
  return with_virtual_memory("cuMemImportFromShareableHandle", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(handle));
    CUDA_TRY(check_handle_type(type));
    device::MemoryId id = 0;
    CUDA_TRY(fail(memory.create_from(static_cast<int>(reinterpret_cast<intptr_t>(os_handle)), &id)));
    *handle = id | kShareable;
    return cudaSuccess;
  });
}
