// Memory and events of another process: the runtime's, under the driver's names.
#include <cstring>

#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t));
static_assert(sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t));
static_assert(sizeof(CUmemPoolPtrExportData) == sizeof(cudaMemPoolPtrExportData));

namespace {

template <class To, class From>
To same(const From& from) {
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  return forward("cuIpcGetMemHandle", [&] {
    return cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(handle), pointer_of(address));
  });
}
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  return forward("cuIpcOpenMemHandle", [&] {
    return cudaIpcOpenMemHandle(reinterpret_cast<void**>(address), same<cudaIpcMemHandle_t>(handle), flags);
  });
}
CUresult(cuIpcOpenMemHandle)(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  return cuIpcOpenMemHandle_v2(address, handle, flags);
}
CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  return forward("cuIpcCloseMemHandle", [&] { return cudaIpcCloseMemHandle(pointer_of(address)); });
}
CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  return call("cuIpcGetEventHandle", Needs::Device,
              [&] { return cudaIpcGetEventHandle(reinterpret_cast<cudaIpcEventHandle_t*>(handle), event); });
}
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  return forward("cuIpcOpenEventHandle",
                 [&] { return cudaIpcOpenEventHandle(event, same<cudaIpcEventHandle_t>(handle)); });
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
  return call("cuMemPoolExportToShareableHandle", Needs::Device, [&] {
    return cudaMemPoolExportToShareableHandle(handle, pool, static_cast<cudaMemAllocationHandleType>(type), flags != 0);
  });
}
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
  return call("cuMemPoolImportFromShareableHandle", Needs::Device, [&] {
    return cudaMemPoolImportFromShareableHandle(pool, handle, static_cast<cudaMemAllocationHandleType>(type),
                                                flags != 0);
  });
}
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr address) {
  return call("cuMemPoolExportPointer", Needs::Device, [&] {
    return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(data), pointer_of(address));
  });
}
CUresult cuMemPoolImportPointer(CUdeviceptr* address, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
  return call("cuMemPoolImportPointer", Needs::Device, [&] {
    return cudaMemPoolImportPointer(reinterpret_cast<void**>(address), pool,
                                    reinterpret_cast<cudaMemPoolPtrExportData*>(data));
  });
}
