// Devices and their properties. A CUdevice is the runtime's device number.
#include <cstring>

#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"
#include "cuda/driver/devices.h"

namespace warpwise::cuda::driver {

cudaError_t check_device(CUdevice device) {
  int count = 0;
  CUDA_TRY(cudaGetDeviceCount(&count));
  if (device >= 0 && device < count) return cudaSuccess;
  return fail(cudaErrorInvalidDevice, "device {} does not exist; there {} {}, the first is number 0", device,
              count == 1 ? "is" : "are", count);
}

}  // namespace warpwise::cuda::driver

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// A query of a device: no context is needed.
template <class Body>
CUresult query(const char* function, const void* out, CUdevice device, Body&& body) {
  return call(function, Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    CUDA_TRY(check_device(device));
    return body();
  });
}

cudaError_t properties_of(CUdevice device, cudaDeviceProp* out) { return cudaGetDeviceProperties(out, device); }

// NVLink switches perform multicast, from Hopper on: data-centre boards (9.x, 10.x) have it, PCIe-only boards (12.x) do
// not.
cudaError_t joins_multicast(int* value, CUdevice device) {
  cudaDeviceProp properties;
  CUDA_TRY(properties_of(device, &properties));
  *value = properties.major == 9 || properties.major == 10;
  return cudaSuccess;
}

}  // namespace

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return query("cuDeviceGet", device, ordinal, [&] {
    *device = ordinal;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetCount(int* count) {
  return call("cuDeviceGetCount", Needs::Init, [&]() -> cudaError_t {
    CUDA_TRY(check_out(count));
    return cudaGetDeviceCount(count);
  });
}

// As much of the name as fits, and the terminating zero.
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return query("cuDeviceGetName", name, device, [&]() -> cudaError_t {
    if (length <= 0) return fail(cudaErrorInvalidValue, "a place of {} characters", length);
    cudaDeviceProp properties;
    CUDA_TRY(properties_of(device, &properties));
    std::strncpy(name, properties.name, static_cast<size_t>(length) - 1);
    name[length - 1] = '\0';
    return cudaSuccess;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  return query("cuDeviceGetUuid", uuid, device, [&]() -> cudaError_t {
    cudaDeviceProp properties;
    CUDA_TRY(properties_of(device, &properties));
    std::memcpy(uuid, &properties.uuid, sizeof *uuid);
    return cudaSuccess;
  });
}
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  return query("cuDeviceTotalMem", bytes, device, [&]() -> cudaError_t {
    cudaDeviceProp properties;
    CUDA_TRY(properties_of(device, &properties));
    *bytes = properties.totalGlobalMem;
    return cudaSuccess;
  });
}

// The numbers of the attributes equal the runtime's, which lacks a few (can_use_..._v1, virtual memory).
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return query("cuDeviceGetAttribute", value, device, [&]() -> cudaError_t {
    auto came_with = [&](int capability) -> cudaError_t {
      int major = 0;
      CUDA_TRY(cudaDeviceGetAttribute(&major, static_cast<cudaDeviceAttr>(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                      device));
      return *value = major >= capability, cudaSuccess;
    };
    switch (attribute) {
      case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1:
      case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1:
      case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1:
      case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
      case CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR:
      case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
        return *value = 1, cudaSuccess;
      case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED:
      case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK:
      case CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_MAXIMUM_LENGTH:
        return *value = 0, cudaSuccess;
      case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
        return joins_multicast(value, device);
      case CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED:
        return came_with(8);
      case CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED:
        return came_with(9);
      default:
        return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device);
    }
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  return query("cuDeviceComputeCapability", major && minor ? major : nullptr, device, [&]() -> cudaError_t {
    cudaDeviceProp properties;
    CUDA_TRY(properties_of(device, &properties));
    *major = properties.major;
    *minor = properties.minor;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetProperties(CUdevprop* out, CUdevice device) {
  return query("cuDeviceGetProperties", out, device, [&]() -> cudaError_t {
    cudaDeviceProp properties;
    CUDA_TRY(properties_of(device, &properties));
    *out = {};
    out->maxThreadsPerBlock = properties.maxThreadsPerBlock;
    std::memcpy(out->maxThreadsDim, properties.maxThreadsDim, sizeof out->maxThreadsDim);
    std::memcpy(out->maxGridSize, properties.maxGridSize, sizeof out->maxGridSize);
    out->sharedMemPerBlock = static_cast<int>(properties.sharedMemPerBlock);
    out->totalConstantMemory = static_cast<int>(properties.totalConstMem);
    out->SIMDWidth = properties.warpSize;
    out->memPitch = static_cast<int>(properties.memPitch);
    out->regsPerBlock = properties.regsPerBlock;
    out->textureAlign = static_cast<int>(properties.textureAlignment);
    return cudaDeviceGetAttribute(&out->clockRate, static_cast<cudaDeviceAttr>(CU_DEVICE_ATTRIBUTE_CLOCK_RATE), device);
  });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
  return query("cuDeviceGetPCIBusId", id, device, [&] { return cudaDeviceGetPCIBusId(id, length, device); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
  return call("cuDeviceGetByPCIBusId", Needs::Init, [&] { return cudaDeviceGetByPCIBusId(device, id); });
}

CUresult cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType, CUdevice device) {
  return query("cuDeviceGetExecAffinitySupport", supported, device, [&] { return *supported = 0, cudaSuccess; });
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget, CUflushGPUDirectRDMAWritesScope) {
  return forward("cuFlushGPUDirectRDMAWrites",
                 [] { return fail(cudaErrorNotSupported, "no other device writes into this one's memory"); });
}

// --- peers ----------------------------------------------------------------------------------------
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return query("cuDeviceCanAccessPeer", can, device, [&]() -> cudaError_t {
    CUDA_TRY(check_device(peer));
    return cudaDeviceCanAccessPeer(can, device, peer);
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  return query("cuDeviceGetP2PAttribute", value, from, [&]() -> cudaError_t {
    CUDA_TRY(check_device(to));
    return cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), from, to);
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return forward("cuCtxEnablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(Contexts::instance().check(peer));
    return cudaDeviceEnablePeerAccess(peer->device, flags);
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return forward("cuCtxDisablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(Contexts::instance().check(peer));
    return cudaDeviceDisablePeerAccess(peer->device);
  });
}
