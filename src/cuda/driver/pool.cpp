// Memory pools and stream-ordered allocations. Pools, their properties and their attributes are the runtime's. A pool
// belongs to a device and needs no context. An allocation in a created stream needs none either, because the stream
// belongs to a context; in a default stream it needs one (CUDA Driver API, cuMemAllocAsync: "default stream specified
// with no current context").
#include "cuda/driver/call.h"
#include "cuda/driver/devices.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));
static_assert(sizeof(CUmemLocation) == sizeof(cudaMemLocation));

namespace {

Needs needs_of(CUstream stream) {
  const bool made = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
  return made ? Needs::Device : Needs::Context;
}

}  // namespace

CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return call("cuMemAllocAsync", needs_of(stream),
              [&] { return cudaMallocAsync(reinterpret_cast<void**>(address), bytes, stream); });
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return call("cuMemAllocFromPoolAsync", needs_of(stream),
              [&] { return cudaMallocFromPoolAsync(reinterpret_cast<void**>(address), bytes, pool, stream); });
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return call("cuMemFreeAsync", needs_of(stream), [&] { return cudaFreeAsync(pointer_of(address), stream); });
}
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return call("cuMemPoolCreate", Needs::Device,
              [&] { return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(properties)); });
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return call("cuMemPoolDestroy", Needs::Device, [&] { return cudaMemPoolDestroy(pool); });
}
// By location and kind of memory.
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return call("cuMemGetDefaultMemPool", Needs::Device, [&] {
    return cudaMemGetDefaultMemPool(pool, reinterpret_cast<cudaMemLocation*>(location),
                                    static_cast<cudaMemAllocationType>(type));
  });
}
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return call("cuMemGetMemPool", Needs::Device, [&] {
    return cudaMemGetMemPool(pool, reinterpret_cast<cudaMemLocation*>(location),
                             static_cast<cudaMemAllocationType>(type));
  });
}
CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  return call("cuMemSetMemPool", Needs::Device, [&] {
    return cudaMemSetMemPool(reinterpret_cast<cudaMemLocation*>(location), static_cast<cudaMemAllocationType>(type),
                             pool);
  });
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return call("cuMemPoolTrimTo", Needs::Device, [&] { return cudaMemPoolTrimTo(pool, bytes); });
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return call("cuMemPoolGetAttribute", Needs::Device,
              [&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  return call("cuMemPoolSetAttribute", Needs::Device,
              [&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value); });
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
  return call("cuMemPoolGetAccess", Needs::Device, [&] {
    return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                reinterpret_cast<cudaMemLocation*>(location));
  });
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* descriptors, size_t count) {
  return call("cuMemPoolSetAccess", Needs::Device, [&] {
    return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(descriptors), count);
  });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return call("cuDeviceGetDefaultMemPool", Needs::Init, [&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return call("cuDeviceGetMemPool", Needs::Init, [&] { return cudaDeviceGetMemPool(pool, device); });
}
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return call("cuDeviceSetMemPool", Needs::Init, [&] { return cudaDeviceSetMemPool(device, pool); });
}
