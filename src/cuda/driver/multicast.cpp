// Multicast objects: one address for memory of several devices, which kernels access with the multimem instructions.
// They are mapped like memory (cuMemMap, cuMemSetAccess in virtual_memory.cpp) and released like it (cuMemRelease).
#include "cuda/driver/devices.h"
#include "cuda/driver/memory_handles.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

cudaError_t check_properties(const CUmulticastObjectProp* properties) {
  CUDA_TRY(check_out(properties));
  CUDA_TRY(check_flags(properties->flags));
  int devices = 0;
  CUDA_TRY(cudaGetDeviceCount(&devices));
  if (properties->numDevices == 0 || properties->numDevices > static_cast<unsigned>(devices))
    return fail(cudaErrorInvalidValue, "{} devices: there {} (`--devices=N` makes more)", properties->numDevices,
                devices == 1 ? "is 1" : fmt::format("are {}", devices));
  return cudaSuccess;
}

// A device can take part if its attribute CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED says so.
cudaError_t check_member(CUdevice device) {
  CUDA_TRY(check_device(device));
  int supported = 0;
  if (CUresult result = cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device);
      result != CUDA_SUCCESS || !supported)
    return fail(cudaErrorNotSupported, "device {} has no NVLink between GPUs that could multicast", device);
  return cudaSuccess;
}

}  // namespace

CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* properties,
                                   CUmulticastGranularity_flags option) {
  return with_virtual_memory("cuMulticastGetGranularity", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(granularity));
    CUDA_TRY(check_properties(properties));
    if (option != CU_MULTICAST_GRANULARITY_MINIMUM && option != CU_MULTICAST_GRANULARITY_RECOMMENDED)
      return fail(cudaErrorInvalidValue, "{} is not a granularity", static_cast<int>(option));
    *granularity = memory.granularity();
    return cudaSuccess;
  });
}

CUresult cuMulticastCreate(CUmemGenericAllocationHandle* multicast, const CUmulticastObjectProp* properties) {
  return with_virtual_memory("cuMulticastCreate", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_out(multicast));
    CUDA_TRY(check_properties(properties));
    device::MemoryId id = 0;
    CUDA_TRY(fail(memory.create_multicast(properties->size, properties->numDevices, &id)));
    *multicast = id | (properties->handleTypes ? kShareable : 0);
    return cudaSuccess;
  });
}

CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle multicast, CUdevice device) {
  return with_virtual_memory("cuMulticastAddDevice", [&](device::VirtualMemory& memory) -> cudaError_t {
    device::MemoryId id = 0;
    CUDA_TRY(memory_of(multicast, &id));
    CUDA_TRY(check_member(device));
    return fail(memory.join(id, static_cast<unsigned>(device)));
  });
}

CUresult cuMulticastBindMem(CUmemGenericAllocationHandle multicast, size_t offset, CUmemGenericAllocationHandle handle,
                            size_t memory_offset, size_t bytes, unsigned long long flags) {
  return with_virtual_memory("cuMulticastBindMem", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_flags(flags));
    device::MemoryId object = 0, bound = 0;
    CUDA_TRY(memory_of(multicast, &object));
    CUDA_TRY(memory_of(handle, &bound));
    if ((multicast & kShareable) && !(handle & kShareable))
      return fail(cudaErrorInvalidValue,
                  "the object can be shared with other processes, the memory was created without requestedHandleTypes");
    return fail(memory.bind(object, offset, bound, memory_offset, bytes));
  });
}

CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle multicast, size_t offset, CUdeviceptr address, size_t bytes,
                             unsigned long long flags) {
  return with_virtual_memory("cuMulticastBindAddr", [&](device::VirtualMemory& memory) -> cudaError_t {
    CUDA_TRY(check_flags(flags));
    device::MemoryId object = 0;
    CUDA_TRY(memory_of(multicast, &object));
    return fail(memory.bind_mapped(object, offset, address, bytes));
  });
}

CUresult cuMulticastUnbind(CUmemGenericAllocationHandle multicast, CUdevice device, size_t offset, size_t bytes) {
  return with_virtual_memory("cuMulticastUnbind", [&](device::VirtualMemory& memory) -> cudaError_t {
    device::MemoryId object = 0;
    CUDA_TRY(memory_of(multicast, &object));
    CUDA_TRY(check_device(device));
    return fail(memory.unbind(object, static_cast<unsigned>(device), offset, bytes));
  });
}
