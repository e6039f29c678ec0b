// Wrong calls of the driver API, one or more for each function that can be called wrongly: documented_errors_test.cpp
// compares the
// codes with the manual's lists. Null pointers, devices and handles that do not exist, undefined flags and sizes.
#include <cuda.h>

#include <cstdio>
#include <cstring>

#define SHOW(call)                              \
  do {                                          \
    const char* name_ = "not an error";         \
    cuGetErrorName((call), &name_);             \
    std::printf("%s -> %s\n", #call, name_);    \
  } while (0)

const char* const kModule = R"(.version 7.8
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .entry kernel(.param .u64 data) { ret; }
)";

char not_a_handle[256];  // an address that was never returned as a handle
template <class Handle>
Handle wrong() {
  return reinterpret_cast<Handle>(not_a_handle);
}

CUdevice device;
CUcontext context;
CUdeviceptr memory;

void without_context() {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  CUmodule module;
  CUstream stream;
  CUevent event;
  CUlinkState linker;
  void* host = nullptr;
  int number = 0;
  SHOW(cuMemAlloc(&address, 4));
  SHOW(cuMemGetInfo(&bytes, &bytes));
  SHOW(cuMemAllocHost(&host, 4));
  SHOW(cuMemHostAlloc(&host, 4, 0));
  SHOW(cuMemAllocManaged(&address, 4, CU_MEM_ATTACH_GLOBAL));
  SHOW(cuModuleLoadData(&module, kModule));
  SHOW(cuStreamCreate(&stream, 0));
  SHOW(cuEventCreate(&event, 0));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxGetDevice(&device));
  SHOW(cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  SHOW(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
  SHOW(cuCtxGetStreamPriorityRange(&number, &number));
  SHOW(cuCtxPopCurrent(&context));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &linker));
  SHOW(cuMemcpyDtoD(4096, 8192, 4));
  SHOW(cuMemsetD8(4096, 0, 4));
  CUgraph graph;  // objects without a context need none
  CUmemGenericAllocationHandle allocation;
  CUmemAllocationProp memory_properties = {};
  memory_properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory_properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  SHOW(cuGraphCreate(&graph, 0));
  SHOW(cuGraphDestroy(graph));
  SHOW(cuMemGetAllocationGranularity(&bytes, &memory_properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  SHOW(cuMemCreate(&allocation, bytes, &memory_properties, 0));
  SHOW(cuMemAddressReserve(&address, bytes, 0, 0, 0));
  SHOW(cuMemMap(address, bytes, 0, allocation, 0));
  SHOW(cuMemUnmap(address, bytes));
  SHOW(cuMemAddressFree(address, bytes));
  SHOW(cuMemRelease(allocation));
  CUmemoryPool pool;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  SHOW(cuMemPoolCreate(&pool, &properties));
  SHOW(cuMemPoolTrimTo(pool, 0));
  SHOW(cuMemAllocFromPoolAsync(&address, 4, pool, nullptr));
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxPushCurrent(context);
  cuStreamCreate(&stream, 0);
  cuCtxPopCurrent(nullptr);
  SHOW(cuMemAllocFromPoolAsync(&address, 4, pool, stream));  // in its stream's context
  SHOW(cuMemFreeAsync(address, nullptr));
  SHOW(cuMemFreeAsync(address, stream));
  SHOW(cuMemPoolDestroy(pool));
  cuStreamDestroy(stream);
  cuDevicePrimaryCtxRelease(device);
}

void devices() {
  char name[64];
  int number = 0;
  size_t bytes = 0;
  unsigned flags = 0;
  CUuuid uuid;
  CUdevice other;
  CUmemoryPool pool;
  SHOW(cuDriverGetVersion(nullptr));
  SHOW(cuInit(1));
  SHOW(cuDeviceGetCount(nullptr));
  SHOW(cuDeviceGet(nullptr, 0));
  SHOW(cuDeviceGet(&other, -1));
  SHOW(cuDeviceGet(&other, 1000));
  SHOW(cuDeviceGetName(nullptr, 64, device));
  SHOW(cuDeviceGetName(name, 64, 1000));
  SHOW(cuDeviceGetUuid(nullptr, device));
  SHOW(cuDeviceGetUuid(&uuid, 1000));
  SHOW(cuDeviceTotalMem(nullptr, device));
  SHOW(cuDeviceTotalMem(&bytes, 1000));
  SHOW(cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  SHOW(cuDeviceGetAttribute(&number, (CUdevice_attribute)0, device));
  SHOW(cuDeviceGetAttribute(&number, (CUdevice_attribute)100000, device));
  SHOW(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1000));
  SHOW(cuDeviceComputeCapability(nullptr, &number, device));
  SHOW(cuDeviceComputeCapability(&number, &number, 1000));
  SHOW(cuDeviceGetDefaultMemPool(nullptr, device));
  SHOW(cuDeviceGetDefaultMemPool(&pool, 1000));
  SHOW(cuDeviceGetMemPool(nullptr, device));
  SHOW(cuDeviceSetMemPool(device, nullptr));
  SHOW(cuDeviceGetPCIBusId(nullptr, 64, device));
  SHOW(cuDeviceGetPCIBusId(name, 64, 1000));
  SHOW(cuDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
  SHOW(cuDeviceGetByPCIBusId(&other, nullptr));
  SHOW(cuDeviceGetByPCIBusId(&other, "no bus"));
  SHOW(cuDeviceCanAccessPeer(nullptr, device, device));
  SHOW(cuDeviceCanAccessPeer(&number, device, 1000));
  SHOW(cuDeviceGetP2PAttribute(nullptr, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device));
  SHOW(cuDeviceGetP2PAttribute(&number, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, 1000));
  SHOW(cuDevicePrimaryCtxRetain(nullptr, device));
  SHOW(cuDevicePrimaryCtxRetain(&context, 1000));
  SHOW(cuDevicePrimaryCtxRelease(1000));
  SHOW(cuDevicePrimaryCtxSetFlags(1000, 0));
  SHOW(cuDevicePrimaryCtxSetFlags(device, 0xff00));
  SHOW(cuDevicePrimaryCtxGetState(1000, &flags, &number));
  SHOW(cuDevicePrimaryCtxReset(1000));
}

void contexts() {
  unsigned flags = 0;
  size_t bytes = 0;
  CUcontext other;
  SHOW(cuCtxSetCurrent(wrong<CUcontext>()));
  SHOW(cuCtxPushCurrent(wrong<CUcontext>()));
  SHOW(cuCtxDestroy(nullptr));
  SHOW(cuCtxDestroy(wrong<CUcontext>()));
  SHOW(cuCtxGetCurrent(nullptr));
  SHOW(cuCtxGetDevice(nullptr));
  SHOW(cuCtxGetFlags(nullptr));
  SHOW(cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  SHOW(cuCtxGetLimit(&bytes, (CUlimit)1000));
  SHOW(cuCtxSetLimit((CUlimit)1000, 1));
  SHOW(cuCtxGetCacheConfig(nullptr));
  SHOW(cuCtxGetApiVersion(wrong<CUcontext>(), &flags));
  SHOW(cuCtxEnablePeerAccess(context, 0));
  SHOW(cuCtxEnablePeerAccess(wrong<CUcontext>(), 0));
  SHOW(cuCtxEnablePeerAccess(context, 1));
  SHOW(cuCtxDisablePeerAccess(wrong<CUcontext>()));
  SHOW(cuCtxDisablePeerAccess(context));
  (void)other;
}

void modules() {
  CUmodule module, made;
  CUfunction function;
  CUdeviceptr address;
  CUlibrary library;
  CUkernel kernel;
  CUlinkState linker;
  size_t bytes = 0;
  int number = 0;
  unsigned count = 0;
  const char* name;
  CUjit_option option = (CUjit_option)1000;
  void* value = nullptr;
  SHOW(cuModuleLoad(&made, nullptr));
  SHOW(cuModuleLoad(&made, "no such file"));
  SHOW(cuModuleLoadData(&made, nullptr));
  SHOW(cuModuleLoadDataEx(&made, kModule, 1, nullptr, nullptr));
  SHOW(cuModuleLoadDataEx(&made, kModule, 1, &option, &value));
  SHOW(cuModuleLoadData(&made, ".version 7.8\n.target sm_75\n.address_size 64\n.entry broken() { no.such.instruction; }\n"));
  SHOW(cuModuleLoadFatBinary(&made, nullptr));
  SHOW(cuModuleUnload(nullptr));
  SHOW(cuModuleUnload(wrong<CUmodule>()));
  SHOW(cuModuleLoadData(&module, kModule));
  SHOW(cuModuleGetFunction(nullptr, module, "kernel"));
  SHOW(cuModuleGetFunction(&function, module, nullptr));
  SHOW(cuModuleGetFunction(&function, module, "missing"));
  SHOW(cuModuleGetFunction(&function, wrong<CUmodule>(), "kernel"));
  SHOW(cuModuleGetGlobal(&address, &bytes, module, nullptr));
  SHOW(cuModuleGetGlobal(&address, &bytes, module, "missing"));
  SHOW(cuModuleGetFunctionCount(nullptr, module));
  SHOW(cuModuleEnumerateFunctions(nullptr, 1, module));
  SHOW(cuModuleGetFunction(&function, module, "kernel"));
  SHOW(cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function));
  SHOW(cuFuncGetAttribute(&number, (CUfunction_attribute)1000, function));
  SHOW(cuFuncGetAttribute(&number, CU_FUNC_ATTRIBUTE_NUM_REGS, wrong<CUfunction>()));
  SHOW(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 1));
  SHOW(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
  SHOW(cuFuncSetCacheConfig(wrong<CUfunction>(), CU_FUNC_CACHE_PREFER_L1));
  SHOW(cuFuncGetModule(nullptr, function));
  SHOW(cuFuncGetModule(&made, wrong<CUfunction>()));
  SHOW(cuFuncGetName(nullptr, function));
  SHOW(cuFuncGetName(&name, wrong<CUfunction>()));
  SHOW(cuFuncGetParamInfo(function, 7, &bytes, &bytes));
  SHOW(cuFuncGetParamInfo(function, 0, nullptr, &bytes));

  SHOW(cuLibraryLoadData(nullptr, kModule, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryLoadFromFile(&library, "no such file", nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryUnload(wrong<CUlibrary>()));
  SHOW(cuLibraryLoadData(&library, kModule, nullptr, nullptr, 0, nullptr, nullptr, 0));
  SHOW(cuLibraryGetKernel(nullptr, library, "kernel"));
  SHOW(cuLibraryGetKernel(&kernel, library, "missing"));
  SHOW(cuLibraryGetKernel(&kernel, wrong<CUlibrary>(), "kernel"));
  SHOW(cuLibraryGetKernelCount(nullptr, library));
  SHOW(cuLibraryGetKernelCount(&count, wrong<CUlibrary>()));
  SHOW(cuLibraryEnumerateKernels(nullptr, 1, library));
  SHOW(cuLibraryGetModule(nullptr, library));
  SHOW(cuLibraryGetModule(&made, wrong<CUlibrary>()));
  SHOW(cuLibraryGetGlobal(&address, &bytes, library, "missing"));
  SHOW(cuLibraryGetGlobal(&address, &bytes, wrong<CUlibrary>(), "counter"));
  SHOW(cuLibraryGetManaged(&address, &bytes, library, "missing"));
  void* unified = nullptr;
  SHOW(cuLibraryGetUnifiedFunction(&unified, library, "missing"));
  SHOW(cuLibraryGetUnifiedFunction(nullptr, library, "missing"));
  SHOW(cuLibraryGetKernel(&kernel, library, "kernel"));
  SHOW(cuKernelGetFunction(nullptr, kernel));
  SHOW(cuKernelGetFunction(&function, wrong<CUkernel>()));
  SHOW(cuKernelGetLibrary(nullptr, kernel));
  SHOW(cuKernelGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, device));
  SHOW(cuKernelGetAttribute(&number, (CUfunction_attribute)1000, kernel, device));
  SHOW(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 1, kernel, device));
  SHOW(cuKernelGetName(nullptr, kernel));
  SHOW(cuKernelGetName(&name, wrong<CUkernel>()));
  SHOW(cuKernelGetParamInfo(kernel, 7, &bytes, &bytes));

  SHOW(cuLinkCreate(0, nullptr, nullptr, nullptr));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &linker));
  SHOW(cuLinkAddData(linker, CU_JIT_INPUT_PTX, nullptr, 0, "a", 0, nullptr, nullptr));
  SHOW(cuLinkAddData(linker, CU_JIT_INPUT_PTX, const_cast<char*>("no PTX"), 7, "a", 0, nullptr, nullptr));
  SHOW(cuLinkAddFile(linker, CU_JIT_INPUT_PTX, "no such file", 0, nullptr, nullptr));
  SHOW(cuLinkComplete(linker, nullptr, nullptr));
  SHOW(cuLinkDestroy(linker));
}

void memories() {
  CUdeviceptr address;
  size_t bytes = 0;
  void* host = nullptr;
  char buffer[16];
  unsigned flags = 0;
  CUmemorytype type;
  CUmemoryPool pool;
  CUmemPoolProps pool_properties = {};
  CUmemAllocationProp properties = {};
  CUmemGenericAllocationHandle allocation = 0;
  CUmemAccessDesc access = {};
  CUipcMemHandle memory_handle = {};
  CUipcEventHandle event_handle = {};
  CUevent event;
  unsigned long long permissions = 0;
  int number = 0;
  SHOW(cuMemAlloc(nullptr, 4));
  SHOW(cuMemAlloc(&address, 0));
  SHOW(cuMemAlloc(&address, size_t{1} << 60));
  SHOW(cuMemAllocPitch(&address, &bytes, 16, 16, 3));
  SHOW(cuMemAllocPitch(&address, nullptr, 16, 16, 4));
  SHOW(cuMemAllocPitch(&address, &bytes, 0, 16, 4));
  SHOW(cuMemFree(memory + 4));
  SHOW(cuMemFree(4096));
  SHOW(cuMemGetAddressRange(&address, &bytes, 4096));
  SHOW(cuMemAllocHost(nullptr, 4));
  SHOW(cuMemHostAlloc(&host, 4, 0xff00));
  SHOW(cuMemFreeHost(buffer));
  SHOW(cuMemHostGetDevicePointer(&address, buffer, 0));
  SHOW(cuMemHostGetDevicePointer(nullptr, buffer, 0));
  SHOW(cuMemHostGetFlags(&flags, buffer));
  SHOW(cuMemHostRegister(nullptr, 16, 0));
  SHOW(cuMemHostRegister(buffer, 0, 0));
  SHOW(cuMemHostUnregister(buffer));
  SHOW(cuMemAllocManaged(nullptr, 4, CU_MEM_ATTACH_GLOBAL));
  SHOW(cuMemAllocManaged(&address, 0, CU_MEM_ATTACH_GLOBAL));
  SHOW(cuMemAllocManaged(&address, 4, 0));
  SHOW(cuIpcGetMemHandle(nullptr, memory));
  SHOW(cuIpcGetMemHandle(&memory_handle, 4096));
  SHOW(cuIpcOpenMemHandle(nullptr, memory_handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  SHOW(cuIpcCloseMemHandle(memory));
  SHOW(cuIpcGetEventHandle(&event_handle, wrong<CUevent>()));
  SHOW(cuIpcOpenEventHandle(nullptr, event_handle));
  SHOW(cuEventCreate(&event, 0));
  SHOW(cuIpcGetEventHandle(&event_handle, event));  // neither for processes nor without time
  SHOW(cuEventDestroy(event));

  SHOW(cuMemcpyHtoD(memory, nullptr, 16));
  SHOW(cuMemcpyHtoD(4096, buffer, 16));
  SHOW(cuMemcpyDtoH(nullptr, memory, 16));
  SHOW(cuMemcpyDtoH(buffer, memory + (size_t{1} << 40), 16));
  SHOW(cuMemcpyDtoD(memory, 4096, 16));
  SHOW(cuMemcpyHtoDAsync(4096, buffer, 16, nullptr));
  SHOW(cuMemcpyDtoHAsync(buffer, memory, 16, wrong<CUstream>()));
  SHOW(cuMemcpyDtoDAsync(memory, 4096, 16, nullptr));
  SHOW(cuMemcpyPeer(memory, context, memory, wrong<CUcontext>(), 16));
  SHOW(cuMemcpy2D(nullptr));
  SHOW(cuMemcpy3D(nullptr));
  CUDA_MEMCPY2D plane = {};
  plane.srcMemoryType = CU_MEMORYTYPE_HOST;
  plane.srcHost = buffer;
  plane.srcPitch = 2;
  plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plane.dstDevice = memory;
  plane.WidthInBytes = 4;  // wider than a row
  plane.Height = 2;
  SHOW(cuMemcpy2D(&plane));
  plane.srcMemoryType = (CUmemorytype)77;
  SHOW(cuMemcpy2D(&plane));
  SHOW(cuMemcpy2DUnaligned(&plane));
  SHOW(cuMemcpy2DAsync(&plane, nullptr));
  SHOW(cuMemsetD8(4096, 0, 4));
  SHOW(cuMemsetD16(memory + 1, 0, 4));
  SHOW(cuMemsetD32(memory + 2, 0, 4));
  SHOW(cuMemsetD2D8(memory, 2, 0, 4, 2));
  SHOW(cuMemsetD2D32(memory + 2, 16, 0, 4, 2));
  SHOW(cuMemsetD8Async(memory, 0, 4, wrong<CUstream>()));
  SHOW(cuMemsetD32Async(memory + 2, 0, 4, nullptr));

  SHOW(cuPointerGetAttribute(nullptr, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  SHOW(cuPointerGetAttribute(&type, (CUpointer_attribute)1000, memory));
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 4096));
  SHOW(cuPointerSetAttribute(nullptr, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  SHOW(cuPointerSetAttribute(&number, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory));
  SHOW(cuPointerGetAttributes(1, nullptr, nullptr, memory));
  SHOW(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 16));
  SHOW(cuMemRangeGetAttribute(&number, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 16));  // not managed

  SHOW(cuMemPoolCreate(nullptr, &pool_properties));
  SHOW(cuMemPoolCreate(&pool, nullptr));
  SHOW(cuMemPoolCreate(&pool, &pool_properties));  // of no type
  SHOW(cuMemPoolDestroy(nullptr));
  SHOW(cuMemPoolTrimTo(wrong<CUmemoryPool>(), 0));
  SHOW(cuDeviceGetDefaultMemPool(&pool, device));
  SHOW(cuMemPoolDestroy(pool));
  SHOW(cuMemPoolSetAttribute(pool, (CUmemPool_attribute)1000, &number));
  SHOW(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr));
  SHOW(cuMemPoolSetAccess(pool, nullptr, 1));
  SHOW(cuMemAllocAsync(nullptr, 4, nullptr));
  SHOW(cuMemAllocFromPoolAsync(&address, 4, nullptr, nullptr));
  SHOW(cuMemFreeAsync(4096, nullptr));

  SHOW(cuMemAddressReserve(nullptr, 1 << 21, 0, 0, 0));
  SHOW(cuMemAddressReserve(&address, 1, 0, 0, 0));
  SHOW(cuMemAddressFree(4096, 1 << 21));
  SHOW(cuMemCreate(nullptr, 1 << 21, &properties, 0));
  SHOW(cuMemCreate(&allocation, 1 << 21, nullptr, 0));
  SHOW(cuMemCreate(&allocation, 1 << 21, &properties, 0));  // of no type
  SHOW(cuMemRelease(12345));
  SHOW(cuMemMap(4096, 1 << 21, 0, 12345, 0));
  SHOW(cuMemUnmap(4096, 1 << 21));
  SHOW(cuMemSetAccess(4096, 1 << 21, &access, 1));
  SHOW(cuMemGetAccess(&permissions, nullptr, 4096));
  SHOW(cuMemGetAllocationGranularity(nullptr, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  SHOW(cuMemGetAllocationPropertiesFromHandle(nullptr, 12345));
  SHOW(cuMemRetainAllocationHandle(nullptr, buffer));
}

void arrays() {
  CUarray array;
  CUmipmappedArray levels;
  CUDA_ARRAY_DESCRIPTOR plane = {};
  CUDA_ARRAY3D_DESCRIPTOR volume = {};
  CUtexObject texture = 0;
  CUsurfObject surface = 0;
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC description = {};
  char buffer[16];
  SHOW(cuArrayCreate(nullptr, &plane));
  SHOW(cuArrayCreate(&array, nullptr));
  SHOW(cuArrayCreate(&array, &plane));  // no width
  SHOW(cuArray3DCreate(&array, nullptr));
  SHOW(cuArray3DCreate(&array, &volume));
  plane.Width = plane.Height = 8;
  plane.Format = CU_AD_FORMAT_FLOAT;
  plane.NumChannels = 3;
  SHOW(cuArrayCreate(&array, &plane));
  plane.NumChannels = 1;
  SHOW(cuArrayCreate(&array, &plane));
  SHOW(cuArrayGetDescriptor(nullptr, array));
  SHOW(cuArray3DGetDescriptor(nullptr, array));
  SHOW(cuMipmappedArrayCreate(nullptr, &volume, 1));
  SHOW(cuMipmappedArrayCreate(&levels, &volume, 0));
  SHOW(cuMipmappedArrayGetLevel(nullptr, nullptr, 0));
  SHOW(cuMemcpyHtoA(array, 0, nullptr, 16));
  SHOW(cuMemcpyHtoA(array, 1 << 20, buffer, 16));
  SHOW(cuMemcpyAtoH(nullptr, array, 0, 16));
  SHOW(cuMemcpyDtoA(array, 0, 4096, 16));
  SHOW(cuTexObjectCreate(nullptr, &resource, &description, nullptr));
  SHOW(cuTexObjectCreate(&texture, nullptr, &description, nullptr));
  SHOW(cuTexObjectCreate(&texture, &resource, nullptr, nullptr));
  SHOW(cuTexObjectCreate(&texture, &resource, &description, nullptr));  // of no array
  SHOW(cuTexObjectGetResourceDesc(&resource, 12345));
  SHOW(cuTexObjectGetTextureDesc(nullptr, 12345));
  SHOW(cuSurfObjectCreate(nullptr, &resource));
  SHOW(cuSurfObjectCreate(&surface, nullptr));
  SHOW(cuSurfObjectGetResourceDesc(nullptr, 12345));
  SHOW(cuArrayDestroy(array));

  CUtensorMap map;
  cuuint64_t sizes[2] = {64, 64}, strides[1] = {256};
  cuuint32_t box[2] = {16, 16}, steps[2] = {1, 1};
  auto encode = [&](CUtensorMap* out, cuuint32_t rank, void* address) {
    return cuTensorMapEncodeTiled(out, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, address, sizes, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  void* base = reinterpret_cast<void*>(memory);
#define cuTensorMapEncodeTiled(...) encode(__VA_ARGS__)
  SHOW(cuTensorMapEncodeTiled(nullptr, 2, base));
  SHOW(cuTensorMapEncodeTiled(&map, 6, base));
  SHOW(cuTensorMapEncodeTiled(&map, 2, reinterpret_cast<void*>(memory + 4)));  // not on 16 bytes
  strides[0] = 250;
  SHOW(cuTensorMapEncodeTiled(&map, 2, base));
  strides[0] = 256;
  box[0] = 257;
  SHOW(cuTensorMapEncodeTiled(&map, 2, base));
#undef cuTensorMapEncodeTiled
  SHOW(cuTensorMapReplaceAddress(nullptr, base));
}

void streams() {
  CUstream stream, none = wrong<CUstream>();
  CUevent event;
  CUgraph graph;
  CUstreamCaptureStatus status;
  CUstreamAttrValue value = {};
  float milliseconds = 0;
  int number = 0;
  unsigned flags = 0;
  SHOW(cuStreamCreate(nullptr, 0));
  SHOW(cuStreamCreate(&stream, 0xff00));
  SHOW(cuStreamCreateWithPriority(&stream, 0xff00, 0));
  SHOW(cuStreamDestroy(none));
  SHOW(cuStreamQuery(none));
  SHOW(cuStreamSynchronize(none));
  SHOW(cuStreamGetPriority(none, &number));
  SHOW(cuStreamGetPriority(nullptr, nullptr));
  SHOW(cuStreamGetFlags(none, &flags));
  SHOW(cuStreamWaitEvent(nullptr, wrong<CUevent>(), 0));
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuStreamAddCallback(stream, nullptr, nullptr, 0));
  SHOW(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_SINGLE));  // not managed
  SHOW(cuStreamBeginCapture(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL));
  SHOW(cuStreamBeginCapture(stream, (CUstreamCaptureMode)1000));
  SHOW(cuStreamIsCapturing(stream, nullptr));
  SHOW(cuStreamIsCapturing(none, &status));
  SHOW(cuStreamCopyAttributes(stream, none));
  SHOW(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, nullptr));
  SHOW(cuStreamSetAttribute(none, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
  SHOW(cuThreadExchangeStreamCaptureMode(nullptr));
  SHOW(cuStreamDestroy(stream));

  SHOW(cuEventCreate(nullptr, 0));
  SHOW(cuEventCreate(&event, 0xff00));
  SHOW(cuEventRecord(wrong<CUevent>(), nullptr));
  SHOW(cuEventQuery(wrong<CUevent>()));
  SHOW(cuEventSynchronize(wrong<CUevent>()));
  SHOW(cuEventDestroy(wrong<CUevent>()));
  SHOW(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  SHOW(cuEventElapsedTime(&milliseconds, event, event));
  SHOW(cuEventElapsedTime(nullptr, event, event));
  SHOW(cuEventRecordWithFlags(event, nullptr, 0xff00));
  SHOW(cuEventDestroy(event));
  (void)graph;
}

void launches() {
  CUmodule module;
  CUfunction function;
  int number = 0;
  size_t bytes = 0;
  void* arguments[] = {&memory};
  CUlaunchConfig config = {};
  cuModuleLoadData(&module, kModule);
  cuModuleGetFunction(&function, module, "kernel");
  SHOW(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(wrong<CUfunction>(), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 1 << 30, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, wrong<CUstream>(), arguments, nullptr));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuLaunchKernelEx(nullptr, function, arguments, nullptr));
  SHOW(cuLaunchKernelEx(&config, function, arguments, nullptr));
  SHOW(cuLaunchCooperativeKernel(function, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, arguments));
  SHOW(cuLaunchCooperativeKernel(wrong<CUfunction>(), 1, 1, 1, 1, 1, 1, 0, nullptr, arguments));
  SHOW(cuLaunchHostFunc(nullptr, nullptr, nullptr));
  SHOW(cuLaunchHostFunc(wrong<CUstream>(), [](void*) {}, nullptr));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function, 128, 0));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, wrong<CUfunction>(), 128, 0));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&number, function, 0, 0));
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, function, 128, 0, 0xff00));
  SHOW(cuOccupancyMaxPotentialBlockSize(nullptr, &number, function, nullptr, 0, 0));
  SHOW(cuOccupancyMaxPotentialBlockSize(&number, &number, wrong<CUfunction>(), nullptr, 0, 0));
  SHOW(cuOccupancyAvailableDynamicSMemPerBlock(nullptr, function, 1, 128));
  SHOW(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 1, 0));
  cuModuleUnload(module);
}

void graphs() {
  CUgraph graph, none = wrong<CUgraph>(), other;
  CUgraphNode node, child;
  CUgraphExec exec;
  CUgraphNodeType type;
  CUDA_HOST_NODE_PARAMS host = {};
  CUDA_MEMSET_NODE_PARAMS fill = {};
  CUuserObject object;
  size_t count = 0;
  unsigned enabled = 0;
  SHOW(cuGraphCreate(nullptr, 0));
  SHOW(cuGraphCreate(&graph, 1));
  SHOW(cuGraphDestroy(nullptr));
  SHOW(cuGraphDestroy(none));
  SHOW(cuGraphCreate(&graph, 0));
  SHOW(cuGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  SHOW(cuGraphAddEmptyNode(&node, none, nullptr, 0));
  SHOW(cuGraphAddEmptyNode(&node, graph, nullptr, 1));
  SHOW(cuGraphAddHostNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cuGraphAddHostNode(&node, graph, nullptr, 0, &host));  // no function
  SHOW(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  SHOW(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, nullptr, context));
  SHOW(cuGraphAddChildGraphNode(&node, graph, nullptr, 0, none));
  SHOW(cuGraphAddEventRecordNode(&node, graph, nullptr, 0, nullptr));
  SHOW(cuGraphAddEmptyNode(&node, graph, nullptr, 0));
  SHOW(cuGraphNodeGetType(node, nullptr));
  SHOW(cuGraphNodeGetType(nullptr, &type));
  SHOW(cuGraphHostNodeGetParams(node, &host));  // an empty node
  SHOW(cuGraphMemsetNodeGetParams(node, &fill));
  SHOW(cuGraphChildGraphNodeGetGraph(node, &other));
  SHOW(cuGraphGetNodes(none, nullptr, &count));
  SHOW(cuGraphGetNodes(graph, nullptr, nullptr));
  SHOW(cuGraphGetRootNodes(none, nullptr, &count));
  SHOW(cuGraphDestroyNode(nullptr));
  SHOW(cuGraphClone(nullptr, graph));
  SHOW(cuGraphClone(&other, none));
  SHOW(cuGraphNodeFindInClone(&child, node, graph));  // no clone
  SHOW(cuGraphInstantiateWithFlags(nullptr, graph, 0));
  SHOW(cuGraphInstantiateWithFlags(&exec, none, 0));
  SHOW(cuGraphInstantiateWithFlags(&exec, graph, 0));
  SHOW(cuGraphLaunch(nullptr, nullptr));
  SHOW(cuGraphLaunch(exec, wrong<CUstream>()));
  SHOW(cuGraphUpload(nullptr, nullptr));
  SHOW(cuGraphExecDestroy(nullptr));
  SHOW(cuGraphNodeGetEnabled(exec, node, &enabled));  // an empty node
  SHOW(cuGraphDebugDotPrint(graph, nullptr, 0));
  SHOW(cuUserObjectCreate(nullptr, nullptr, [](void*) {}, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectCreate(&object, nullptr, [](void*) {}, 0, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  SHOW(cuUserObjectRetain(nullptr, 1));
  SHOW(cuGraphRetainUserObject(graph, nullptr, 1, 0));
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphDestroy(graph));
}

int main() {
  cuInit(0);
  cuDeviceGet(&device, 0);
  without_context();
  devices();
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  cuMemAlloc(&memory, 4096);
  contexts();
  modules();
  memories();
  arrays();
  streams();
  launches();
  graphs();
}
