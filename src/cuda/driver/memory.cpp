// Memory of the device and of the host: allocating, freeing, and the attributes of a pointer.
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/runtime/memory/places.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// The runtime accepts a size of zero; the driver returns an error.
cudaError_t check_size(const void* out, size_t bytes) {
  CUDA_TRY(check_out(out));
  return bytes ? cudaSuccess : fail(cudaErrorInvalidValue, "an allocation of 0 bytes");
}

}  // namespace

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  return forward("cuMemAlloc", [&]() -> cudaError_t {
    CUDA_TRY(check_size(address, bytes));
    return cudaMalloc(reinterpret_cast<void**>(address), bytes);
  });
}

CUresult cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height, unsigned element_bytes) {
  return forward("cuMemAllocPitch", [&]() -> cudaError_t {
    CUDA_TRY(check_out(pitch));
    CUDA_TRY(check_size(address, width && height ? width : 0));
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
      return fail(cudaErrorInvalidValue, "elements of {} bytes: the size must be 4, 8 or 16", element_bytes);
    return cudaMallocPitch(reinterpret_cast<void**>(address), pitch, width, height);
  });
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  return forward("cuMemFree", [&] { return cudaFree(pointer_of(address)); });
}

CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return forward("cuMemAllocManaged", [&]() -> cudaError_t {
    CUDA_TRY(check_size(address, bytes));
    return cudaMallocManaged(reinterpret_cast<void**>(address), bytes, flags);
  });
}

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return forward("cuMemGetInfo", [&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

// The allocation that contains an address. Either output may be null.
CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return call("cuMemGetAddressRange", Needs::Context, [&](Process&, device::Device& gpu) -> cudaError_t {
    auto allocation = gpu.find_allocation(address);
    if (!allocation) return fail(as_error(CUDA_ERROR_NOT_FOUND), "{:#x} is in no allocation", address);
    if (base) *base = allocation->base;
    if (bytes) *bytes = allocation->size;
    return cudaSuccess;
  });
}

// --- host memory ------------------------------------------------------------------------------------
CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return forward("cuMemAllocHost", [&]() -> cudaError_t {
    CUDA_TRY(check_size(pointer, bytes));
    return cudaMallocHost(pointer, bytes);
  });
}

// The flags have the same values in both APIs.
CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return forward("cuMemHostAlloc", [&]() -> cudaError_t {
    CUDA_TRY(check_size(pointer, bytes));
    return cudaHostAlloc(pointer, bytes, flags);
  });
}
CUresult cuMemFreeHost(void* pointer) {
  return forward("cuMemFreeHost", [&] { return cudaFreeHost(pointer); });
}
CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  return forward("cuMemHostRegister", [&] { return cudaHostRegister(pointer, bytes, flags); });
}
CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return cuMemHostRegister_v2(pointer, bytes, flags);
}
CUresult cuMemHostUnregister(void* pointer) {
  return forward("cuMemHostUnregister", [&] { return cudaHostUnregister(pointer); });
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* pointer, unsigned flags) {
  return forward("cuMemHostGetDevicePointer",
                 [&] { return cudaHostGetDevicePointer(reinterpret_cast<void**>(address), pointer, flags); });
}
CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  return forward("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, pointer); });
}

// --- managed memory ---------------------------------------------------------------------------------
namespace {

CUmemLocation location_of_device(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

}  // namespace

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                               CUstream stream) {
  return forward("cuMemPrefetchAsync", [&] {
    return cudaMemPrefetchAsync_v2(pointer_of(address), bytes, location_of(location), flags, stream);
  });
}
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, location_of_device(device), 0, stream);
}
CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return forward("cuMemAdvise", [&] {
    return cudaMemAdvise_v2(pointer_of(address), bytes, static_cast<cudaMemoryAdvise>(advice), location_of(location));
  });
}
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise_v2(address, bytes, advice, location_of_device(device));
}
CUresult cuMemRangeGetAttributes(void** data, size_t* sizes, CUmem_range_attribute* attributes, size_t number,
                                 CUdeviceptr address, size_t count) {
  return forward("cuMemRangeGetAttributes", [&] {
    return cudaMemRangeGetAttributes(data, sizes, reinterpret_cast<cudaMemRangeAttribute*>(attributes), number,
                                     pointer_of(address), count);
  });
}
CUresult cuMemRangeGetAttribute(void* data, size_t size, CUmem_range_attribute attribute, CUdeviceptr address,
                                size_t bytes) {
  return forward("cuMemRangeGetAttribute", [&] {
    return cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(attribute), pointer_of(address),
                                    bytes);
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags) {
  return forward("cuStreamAttachMemAsync",
                 [&] { return cudaStreamAttachMemAsync(stream, pointer_of(address), bytes, flags); });
}

// --- what is known of a pointer -----------------------------------------------------------------------
namespace {

// CUDA_ERROR_INVALID_VALUE for memory that CUDA does not know, as in the manual.
cudaError_t pointer_attribute(Process& process, device::Device& gpu, void* data, CUpointer_attribute attribute,
                              CUdeviceptr address) {
  Place place = locate(process, gpu, pointer_of(address));
  auto range = process.host_ranges.find(pointer_of(address));
  bool known = place.allocation || range;
  bool on_device = place.allocation && place.allocation->kind != device::MemoryKind::Pinned;
  bool managed = place.managed();
  auto answer = [&](auto value) { return *static_cast<decltype(value)*>(data) = value, cudaSuccess; };
  switch (attribute) {
    // These two attributes have values for any pointer.
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return answer(known);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer(static_cast<unsigned char>(managed));
    default:
      break;
  }
  if (!known) return fail(cudaErrorInvalidValue, "{:#x} is not memory that CUDA knows", address);
  CUdeviceptr base = place.allocation ? place.allocation->base : range->base;
  size_t size = place.allocation ? place.allocation->size : range->size;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return answer(Contexts::instance().current());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer(on_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return answer(address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (on_device && !managed) return fail(cudaErrorInvalidValue, "the host cannot access {:#x}", address);
      return answer(pointer_of(address));
    // A number that no other allocation of the process has: one address has one allocation.
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      return answer(static_cast<unsigned long long>(base));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      return answer(static_cast<unsigned char>(0));
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return answer(place.allocation && place.allocation->kind == device::MemoryKind::Device);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: {
      cudaPointerAttributes attributes;
      CUDA_TRY(cudaPointerGetAttributes(&attributes, pointer_of(address)));
      return answer(attributes.device < 0 ? 0 : attributes.device);
    }
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer(base);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer(size);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return answer(0ull);
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return answer(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return answer(static_cast<CUmemoryPool>(nullptr));
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return fail(cudaErrorNotSupported, "pointer attribute {} is not supported", static_cast<int>(attribute));
    default:
      return fail(cudaErrorInvalidValue, "there is no pointer attribute {}", static_cast<int>(attribute));
  }
}

}  // namespace

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute, CUdeviceptr address) {
  return call("cuPointerGetAttribute", Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(data));
    return pointer_attribute(process, gpu, data, attribute, address);
  });
}

// An attribute without a value becomes zero and is not an error.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data, CUdeviceptr address) {
  return call("cuPointerGetAttributes", Needs::Context, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!attributes || !data) return fail(cudaErrorInvalidValue, "an argument is null");
    for (unsigned i = 0; i < count; ++i) {
      CUDA_TRY(check_out(data[i]));
      if (pointer_attribute(process, gpu, data[i], attributes[i], address) == cudaSuccess) continue;
      bool narrow =
          attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
      if (narrow)
        *static_cast<unsigned*>(data[i]) = 0;
      else
        *static_cast<void**>(data[i]) = nullptr;
    }
    return cudaSuccess;
  });
}

CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute, CUdeviceptr address) {
  return call("cuPointerSetAttribute", Needs::Context, [&](Process&, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_out(value));
    if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      return fail(cudaErrorInvalidValue, "attribute {} cannot be set", static_cast<int>(attribute));
    if (!gpu.find_allocation(address)) return fail(cudaErrorInvalidValue, "{:#x} is in no allocation", address);
    return cudaSuccess;
  });
}
