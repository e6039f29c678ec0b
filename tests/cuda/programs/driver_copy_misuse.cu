// Wrong calls of the driver's copies and fills, and of functions for unified memory, virtual memory, pools, arrays and
// textures; and the
// rarer functions of contexts, streams, events and kernels. documented_errors_test.cpp compares the codes with the manual's lists.
#include <cuda.h>
#include <cudaProfiler.h>

#include <cstdio>

#define SHOW(call)                              \
  do {                                          \
    const char* name_ = "not an error";         \
    cuGetErrorName((call), &name_);             \
    std::printf("%s -> %s\n", #call, name_), std::fflush(stdout); \
  } while (0)

char not_a_handle[256];
template <class Handle>
Handle wrong() {
  return reinterpret_cast<Handle>(not_a_handle);
}

const char* const kModule = R"(.version 7.8
.target sm_75
.address_size 64
.visible .entry kernel(.param .u64 data) { ret; }
)";

CUdevice device;
CUcontext context;
CUdeviceptr memory;  // 4096 bytes
CUarray plane;       // 8 x 8 floats
CUstream stream;
char buffer[4096];

void copies() {
  const CUdeviceptr nowhere = 4096;
  CUstream none = wrong<CUstream>();
  SHOW(cuMemcpy(memory, 0, 16));
  SHOW(cuMemcpy(memory, memory + 4000, 200));  // past the end
  SHOW(cuMemcpyAsync(memory + 4090, memory, 16, stream));
  SHOW(cuMemcpyAsync(memory, memory + 64, 16, none));
  SHOW(cuMemcpyPeerAsync(memory, context, memory, wrong<CUcontext>(), 16, stream));
  SHOW(cuMemcpyHtoDAsync(memory, nullptr, 16, stream));
  SHOW(cuMemcpyHtoDAsync(memory, buffer, 16, none));
  SHOW(cuMemcpyDtoHAsync(nullptr, memory, 16, stream));
  SHOW(cuMemcpyDtoHAsync(buffer, memory + 4090, 16, stream));
  SHOW(cuMemcpyAtoD(memory, plane, 1 << 20, 16));
  SHOW(cuMemcpyAtoD(nowhere, plane, 0, 16));
  SHOW(cuMemcpyAtoD(memory, nullptr, 0, 16));
  SHOW(cuMemcpyAtoA(plane, 0, nullptr, 0, 16));
  SHOW(cuMemcpyAtoA(plane, 0, plane, 1 << 20, 16));
  SHOW(cuMemcpyHtoAAsync(plane, 0, nullptr, 16, stream));
  SHOW(cuMemcpyHtoAAsync(nullptr, 0, buffer, 16, stream));
  SHOW(cuMemcpyAtoHAsync(nullptr, plane, 0, 16, stream));
  SHOW(cuMemcpyAtoHAsync(buffer, plane, 1 << 20, 16, stream));
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = buffer;
  box.srcPitch = 4;
  box.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box.dstArray = plane;
  box.WidthInBytes = 8;  // wider than a row of the host
  box.Height = 2;
  box.Depth = 1;
  SHOW(cuMemcpy3D(&box));
  SHOW(cuMemcpy3DAsync(&box, stream));
  box.srcPitch = 8;
  box.dstY = 7;  // beyond the last row
  SHOW(cuMemcpy3DAsync(&box, stream));
  box.dstY = 0;
  SHOW(cuMemcpy3DAsync(&box, none));
  SHOW(cuMemcpy3DAsync(nullptr, stream));
  SHOW(cuMemcpy3DPeer(nullptr));
  SHOW(cuMemcpy3DPeerAsync(nullptr, stream));
}

void fills() {
  CUstream none = wrong<CUstream>();
  SHOW(cuMemsetD16Async(memory + 1, 0, 4, stream));
  SHOW(cuMemsetD16Async(memory, 0, 4, none));
  SHOW(cuMemsetD2D16(memory, 3, 0, 1, 2));  // rows at odd addresses
  SHOW(cuMemsetD2D8Async(memory, 2, 0, 4, 2, stream));
  SHOW(cuMemsetD2D16Async(memory + 1, 16, 0, 4, 2, stream));
  SHOW(cuMemsetD2D32Async(memory, 16, 0, 4, 1000, stream));  // past the end
  SHOW(cuMemsetD2D32Async(memory, 16, 0, 4, 2, none));
}

void unified_and_virtual_memory() {
  CUdeviceptr managed;
  CUmemGenericAllocationHandle handle;
  CUmemAllocationProp properties = {};
  int descriptor = -1;
  size_t bytes = 0;
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL);
  (void)here;
#if CUDA_VERSION >= 13000
#define LOCATION here
#define FLAGS 0,
#else
#define LOCATION 0
#define FLAGS
#endif
  SHOW(cuMemPrefetchAsync(memory, 16, LOCATION, FLAGS stream));  // not managed
  SHOW(cuMemPrefetchAsync(managed, 8192, LOCATION, FLAGS stream));
  SHOW(cuMemPrefetchAsync(managed, 16, LOCATION, FLAGS wrong<CUstream>()));
  SHOW(cuMemAdvise(memory, 16, CU_MEM_ADVISE_SET_READ_MOSTLY, LOCATION));
  SHOW(cuMemAdvise(managed, 16, (CUmem_advise)1000, LOCATION));
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  SHOW(cuMemCreate(&handle, bytes + 1, &properties, 0));  // not whole granules
  SHOW(cuMemExportToShareableHandle(nullptr, 12345, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  SHOW(cuMemExportToShareableHandle(&descriptor, 12345, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  SHOW(cuMemImportFromShareableHandle(nullptr, nullptr, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  SHOW(cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(static_cast<size_t>(100000)), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  cuMemFree(managed);
}

void pools() {
  CUmemoryPool pool;
  CUmemPoolProps properties = {};
  CUmemPoolPtrExportData data = {};
  CUmemAccess_flags flags;
  CUmemLocation nowhere = {CU_MEM_LOCATION_TYPE_DEVICE, 1000};
  CUdeviceptr address;
  int descriptor = -1;
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  cuMemPoolCreate(&pool, &properties);
  SHOW(cuMemPoolGetAccess(nullptr, pool, &nowhere));
  SHOW(cuMemPoolGetAccess(&flags, pool, nullptr));
  SHOW(cuMemPoolGetAccess(&flags, pool, &nowhere));
  SHOW(cuMemPoolExportToShareableHandle(nullptr, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  SHOW(cuMemPoolExportToShareableHandle(&descriptor, pool, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));  // was not made to be shared
  SHOW(cuMemPoolImportFromShareableHandle(nullptr, nullptr, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  SHOW(cuMemPoolExportPointer(nullptr, memory));
  SHOW(cuMemPoolExportPointer(&data, memory));  // not from a pool
  SHOW(cuMemPoolImportPointer(&address, pool, nullptr));
  cuMemPoolDestroy(pool);
}

void arrays_and_textures() {
  CUtexObject none = 12345;
  CUDA_RESOURCE_VIEW_DESC view;
  SHOW(cuMipmappedArrayDestroy(nullptr));
  SHOW(cuTexObjectGetResourceViewDesc(nullptr, none));
  SHOW(cuTexObjectGetResourceViewDesc(&view, none));
  SHOW(cuTexObjectDestroy(none));
  SHOW(cuSurfObjectDestroy(none));
  SHOW(cuArrayDestroy(nullptr));
}

void streams_and_events() {
  CUstreamCaptureStatus status;
  CUgraph graph;
  CUcontext owner;
  unsigned long long number;
  CUstream none = wrong<CUstream>();
  (void)status;
  SHOW(cuStreamGetId(none, &number));
  SHOW(cuStreamGetId(stream, nullptr));
  SHOW(cuStreamGetCtx(none, &owner));
  SHOW(cuStreamEndCapture(stream, &graph));  // no capture is active
  SHOW(cuStreamEndCapture(none, &graph));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));  // once more
  SHOW(cuStreamSynchronize(stream));                                  // invalidates the capture
  SHOW(cuStreamEndCapture(stream, &graph));
}

void contexts_and_kernels(CUfunction kernel) {
  unsigned long long number;
  CUcontext made;
  (void)made;
  SHOW(cuCtxGetId(wrong<CUcontext>(), &number));
  SHOW(cuCtxGetId(context, nullptr));
  SHOW(cuCtxSetFlags(0xff00));
  SHOW(cuCtxSetCacheConfig((CUfunc_cache)1000));
  SHOW(cuFuncLoad(wrong<CUfunction>()));
  SHOW(cuFuncIsLoaded(nullptr, kernel));
  int blocks, size, clusters;
  CUlaunchConfig launch = {};
  SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(nullptr, &size, kernel, nullptr, 0, 0, 0));
  SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &size, wrong<CUfunction>(), nullptr, 0, 0, 0));
  SHOW(cuOccupancyMaxActiveClusters(nullptr, kernel, &launch));
  SHOW(cuOccupancyMaxPotentialClusterSize(&clusters, wrong<CUfunction>(), &launch));
  SHOW(cuProfilerStart());
  SHOW(cuProfilerStop());
}

int main() {
  CUmodule module;
  CUfunction kernel;
  CUDA_ARRAY_DESCRIPTOR floats = {8, 8, CU_AD_FORMAT_FLOAT, 1};
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  cuMemAlloc(&memory, 4096);
  cuArrayCreate(&plane, &floats);
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  cuModuleLoadData(&module, kModule);
  cuModuleGetFunction(&kernel, module, "kernel");
  copies();
  fills();
  unified_and_virtual_memory();
  pools();
  arrays_and_textures();
  streams_and_events();
  contexts_and_kernels(kernel);
  std::printf("%s\n", cuCtxSynchronize() == CUDA_SUCCESS ? "nothing is wrong afterwards" : "something is wrong afterwards");
}
