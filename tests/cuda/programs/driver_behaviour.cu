// The results of right and wrong calls of the CUDA driver, one line per call: the name of the error. The expectation
// follows CUDA's manual; run against NVIDIA's driver on a GPU, the program shows where the manual was misread.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define SHOW(call)                                             \
  do {                                                         \
    const char* name_ = "not an error";                        \
    cuGetErrorName((call), &name_);                            \
    std::printf("%s -> %s\n", #call, name_);                   \
  } while (0)
#define SHOW_RUNTIME(call) std::printf("%s -> %s\n", #call, cudaGetErrorName(call))
#define VALUE(text) std::printf("%s = %lld\n", #text, (long long)(text))
#define SECTION(name) std::printf("[%s]\n", name)

// CUDA 13 gave the function another parameter.
#if CUDA_VERSION >= 13000
CUresult create_context(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, nullptr, flags, device);
}
#else
CUresult create_context(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
#endif

const char* const kModule = R"(.version 7.8
.target sm_75
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 data, .param .u32 n) {
  .reg .b64 %a;
  .reg .b32 %i, %n, %f;
  .reg .pred %outside;
  ld.param.u64 %a, [data];
  ld.param.u32 %n, [n];
  mov.u32 %i, %tid.x;
  setp.ge.u32 %outside, %i, %n;
  @%outside ret;
  mad.wide.u32 %a, %i, 4, %a;
  ld.const.u32 %f, [factor];
  mul.lo.u32 %f, %f, %i;
  st.global.u32 [%a], %f;
  ret;
}
.visible .entry count() {
  .reg .b32 %old;
  atom.global.add.u32 %old, [counter], 1;
  ret;
}
.visible .entry bounded() .maxntid 64, 1, 1 { ret; }
)";

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }

void CUDA_CB callback(CUstream, CUresult status, void* data) { *static_cast<int*>(data) += 10 + status; }
void CUDA_CB host_function(void* data) { *static_cast<int*>(data) += 100; }

CUdevice device;
CUcontext context;
CUmodule module;
CUfunction scale, count_function, bounded;

void before_init() {
  SECTION("before cuInit");
  int number = 0;
  SHOW(cuDeviceGetCount(&number));
  SHOW(cuDeviceGet(&device, 0));
  CUcontext current = nullptr;
  SHOW(cuCtxGetCurrent(&current));
  CUdeviceptr address = 0;
  SHOW(cuMemAlloc(&address, 4));
  const char* text = nullptr;
  SHOW(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  std::printf("%s\n", text);
  SHOW(cuGetErrorName((CUresult)12345, &text));
  SHOW(cuDriverGetVersion(&number));
  SHOW(cuInit(1));
  SHOW(cuInit(0));
}

void devices() {
  SECTION("devices");
  SHOW(cuDeviceGet(&device, 0));
  SHOW(cuDeviceGet(&device, -1));
  SHOW(cuDeviceGet(nullptr, 0));
  SHOW(cuDeviceGet(&device, 1000));
  SHOW(cuDeviceGet(&device, 0));
  char name[256] = "";
  SHOW(cuDeviceGetName(name, sizeof name, device));
  VALUE(std::strncmp(name, "NVIDIA", 6));
  SHOW(cuDeviceGetName(name, 4, device));
  std::printf("%s\n", name);
  int value = 0;
  SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  VALUE(value);
  SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
  VALUE(value);
  SHOW(cuDeviceGetAttribute(&value, (CUdevice_attribute)0, device));
  SHOW(cuDeviceGetAttribute(&value, (CUdevice_attribute)9999, device));
  SHOW(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1000));
  size_t bytes = 0;
  SHOW(cuDeviceTotalMem(&bytes, device));
  VALUE(bytes > (size_t(1) << 30));
}

void contexts() {
  SECTION("contexts");
  CUcontext current = (CUcontext)1, other = nullptr;
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  CUdeviceptr address = 0;
  SHOW(cuMemAlloc(&address, 4));
  SHOW(cuCtxSynchronize());
  SHOW(cuCtxPopCurrent(&current));
  SHOW(create_context(&context, 0, 1000));
  SHOW(create_context(&context, 0x1000, device));
  SHOW(create_context(nullptr, 0, device));
  SHOW(create_context(&context, CU_CTX_SCHED_AUTO, device));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == context);
  CUdevice of_context = -1;
  SHOW(cuCtxGetDevice(&of_context));
  VALUE(of_context);
  SHOW(create_context(&other, CU_CTX_SCHED_SPIN, device));
  unsigned flags = 0;
  SHOW(cuCtxGetFlags(&flags));
  VALUE(flags & CU_CTX_SCHED_MASK);
  SHOW(cuCtxPopCurrent(&current));
  VALUE(current == other);
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == context);
  SHOW(cuCtxPushCurrent(other));
  SHOW(cuCtxDestroy(other));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == context);
  SHOW(cuCtxSetCurrent(nullptr));
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == nullptr);
  SHOW(cuCtxSetCurrent(context));
  unsigned version = 0;
  SHOW(cuCtxGetApiVersion(context, &version));
  size_t limit = 0;
  SHOW(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
  VALUE(limit);
  SHOW(cuCtxGetLimit(&limit, (CUlimit)1000));
  SHOW(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
}

void modules() {
  SECTION("modules");
  SHOW(cuModuleLoadData(&module, "this is no PTX"));
  SHOW(cuModuleLoadData(&module, nullptr));
  SHOW(cuModuleLoad(&module, "/there/is/no/such/file.ptx"));
  char log[4096] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  SHOW(cuModuleLoadDataEx(&module, ".version 7.8\n.target sm_75\n.address_size 64\n.entry e() { frobnicate.u32; }\n", 2,
                          options, values));
  VALUE(std::strlen(log) > 10);
  VALUE((size_t)values[1] > 10);
  values[1] = (void*)sizeof log;
  SHOW(cuModuleLoadDataEx(&module, kModule, 2, options, values));
  VALUE(std::strlen(log));
  SHOW(cuModuleGetFunction(&scale, module, "scale"));
  SHOW(cuModuleGetFunction(&count_function, module, "count"));
  SHOW(cuModuleGetFunction(&bounded, module, "bounded"));
  CUfunction none = nullptr;
  SHOW(cuModuleGetFunction(&none, module, "no_such_kernel"));
  SHOW(cuModuleGetFunction(nullptr, module, "scale"));
  SHOW(cuModuleGetFunction(&none, module, nullptr));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  SHOW(cuModuleGetGlobal(&address, &bytes, module, "counter"));
  VALUE(bytes);
  int counter = 0;
  SHOW(cuMemcpyDtoH(&counter, address, 4));
  VALUE(counter);
  SHOW(cuModuleGetGlobal(nullptr, &bytes, module, "factor"));
  SHOW(cuModuleGetGlobal(&address, nullptr, module, "no_such_variable"));
  unsigned functions = 0;
  SHOW(cuModuleGetFunctionCount(&functions, module));
  VALUE(functions);
  int value = 0;
  SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bounded));
  VALUE(value);
  SHOW(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, scale));
  VALUE(value);
  SHOW(cuFuncGetAttribute(&value, (CUfunction_attribute)1000, scale));
  SHOW(cuFuncSetAttribute(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30));
  SHOW(cuFuncSetCacheConfig(scale, CU_FUNC_CACHE_PREFER_L1));
}

void memory() {
  SECTION("memory");
  CUdeviceptr a = 0, b = 0, base = 0;
  size_t bytes = 0, pitch = 0;
  SHOW(cuMemAlloc(&a, 0));
  SHOW(cuMemAlloc(nullptr, 4));
  SHOW(cuMemAlloc(&a, size_t(1) << 60));
  SHOW(cuMemAlloc(&a, 4096));
  SHOW(cuMemAlloc(&b, 4096));
  SHOW(cuMemGetAddressRange(&base, &bytes, a + 100));
  VALUE(base == a);
  VALUE(bytes);
  SHOW(cuMemGetAddressRange(&base, &bytes, 0));
  std::vector<unsigned> host(1024, 1);
  SHOW(cuMemsetD32(a, 0xdeadbeef, 1024));
  SHOW(cuMemsetD16(a, 0x1234, 2));
  SHOW(cuMemsetD8(a + 6, 0x77, 1));
  SHOW(cuMemcpyDtoH(host.data(), a, 4096));
  std::printf("%08x %08x %08x\n", host[0], host[1], host[1023]);
  SHOW(cuMemsetD32(a + 1, 0, 1));
  SHOW(cuMemcpyDtoD(b, a, 4096));
  SHOW(cuMemcpy((CUdeviceptr)host.data(), b, 8));
  SHOW(cuMemcpyHtoD(a, host.data(), 0));
  SHOW(cuMemcpyHtoD(a, host.data(), 5000));
  SHOW(cuMemcpyHtoD(0, host.data(), 4));
  SHOW(cuMemAllocPitch(&base, &pitch, 100, 10, 4));
  VALUE(pitch);
  SHOW(cuMemsetD2D8(base, pitch, 5, 100, 10));
  CUDA_MEMCPY2D box;
  std::memset(&box, 0, sizeof box);
  std::vector<unsigned char> rows(20 * 10, 0);
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = base;
  box.srcPitch = pitch;
  box.srcXInBytes = 3;
  box.srcY = 2;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = rows.data();
  box.dstPitch = 20;
  box.WidthInBytes = 20;
  box.Height = 8;
  SHOW(cuMemcpy2D(&box));
  VALUE(rows[0] + rows[159] + rows[160]);
  box.dstPitch = 10;
  SHOW(cuMemcpy2D(&box));
  box.dstPitch = 20;
  box.Height = 0;
  SHOW(cuMemcpy2D(&box));
  SHOW(cuMemcpy2D(nullptr));
  SHOW(cuMemFree(base));
  SHOW(cuMemFree(base));
  SHOW(cuMemFree(a + 4));
  SHOW(cuMemFree(b));
  void* pinned = nullptr;
  SHOW(cuMemAllocHost(&pinned, 256));
  SHOW(cuMemHostGetDevicePointer(&base, pinned, 0));
  CUmemorytype type = (CUmemorytype)0;
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  VALUE(type);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pinned));
  VALUE(type);
  SHOW(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host.data()));
  CUcontext owner = nullptr;
  SHOW(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, a));
  VALUE(owner == context);
  SHOW(cuMemFreeHost(pinned));
  SHOW(cuMemFreeHost(pinned));
  SHOW(cuMemAllocManaged(&b, 64, CU_MEM_ATTACH_GLOBAL));
  *(int*)b = 5;
  SHOW(cuMemFree(b));
  SHOW(cuMemAllocManaged(&b, 64, 77));
  SHOW(cuMemFree(a));
}

void launches() {
  SECTION("launches");
  CUdeviceptr data = 0;
  unsigned n = 32;
  SHOW(cuMemAlloc(&data, 128));
  void* arguments[] = {&data, &n};
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  unsigned host[32] = {};
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  VALUE(host[31]);
  struct {
    CUdeviceptr data;
    unsigned n;
  } packed = {data, 16};
  size_t size = 12, too_large = 16;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  SHOW(cuMemsetD32(data, 0, 32));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  VALUE(host[15] + host[16]);
  extra[3] = &too_large;
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  extra[3] = &size;
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, extra));
  SHOW(cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 2000, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 70000, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 1 << 20, nullptr, arguments, nullptr));
  SHOW(cuLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuLaunchCooperativeKernel(count_function, 4, 1, 1, 32, 1, 1, 0, nullptr, nullptr));
  CUlaunchConfig config = {};
  config.gridDimX = config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  SHOW(cuLaunchKernelEx(&config, count_function, nullptr, nullptr));
  SHOW(cuCtxSynchronize());
  CUdeviceptr counter = 0;
  int counted = 0;
  SHOW(cuModuleGetGlobal(&counter, nullptr, module, "counter"));
  SHOW(cuMemcpyDtoH(&counted, counter, 4));
  VALUE(counted);
  int blocks = 0, best = 0;
  SHOW(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 64, 0));
  VALUE(blocks > 0);
  SHOW(cuOccupancyMaxPotentialBlockSize(&blocks, &best, bounded, nullptr, 0, 0));
  VALUE(best);
  SHOW(cuMemFree(data));
}

void streams() {
  SECTION("streams and events");
  CUstream stream = nullptr;
  SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  SHOW(cuStreamCreate(nullptr, 0));
  SHOW(cuStreamCreate(&stream, 77));
  CUevent start = nullptr, end = nullptr;
  SHOW(cuEventCreate(&start, CU_EVENT_DEFAULT));
  SHOW(cuEventCreate(&end, CU_EVENT_DEFAULT));
  float milliseconds = -1;
  SHOW(cuEventElapsedTime(&milliseconds, start, end));
  SHOW(cuEventRecord(start, stream));
  int called = 0;
  SHOW(cuStreamAddCallback(stream, callback, &called, 0));
  SHOW(cuLaunchHostFunc(stream, host_function, &called));
  SHOW(cuEventRecord(end, stream));
  SHOW(cuStreamWaitEvent(stream, end, 0));
  SHOW(cuStreamSynchronize(stream));
  VALUE(called);
  SHOW(cuStreamQuery(stream));
  SHOW(cuEventQuery(end));
  SHOW(cuEventSynchronize(end));
  SHOW(cuEventElapsedTime(&milliseconds, start, end));
  VALUE(milliseconds >= 0);
  unsigned flags = 0;
  SHOW(cuStreamGetFlags(stream, &flags));
  VALUE(flags);
  CUcontext of_stream = nullptr;
  SHOW(cuStreamGetCtx(stream, &of_stream));
  VALUE(of_stream == context);
  SHOW(cuEventDestroy(start));
  SHOW(cuEventDestroy(end));
  SHOW(cuStreamDestroy(stream));
}

void entry_points() {
  SECTION("entry points");
  void* function = nullptr;
  CUdriverProcAddressQueryResult found = (CUdriverProcAddressQueryResult)77;
  SHOW(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  VALUE(found);
  VALUE(function == (void*)&cuMemAlloc);
  SHOW(cuGetProcAddress_v2("cuNoSuchFunction", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  VALUE(found);
  VALUE(function == nullptr);
  SHOW(cuGetProcAddress_v2("cuLaunchKernelEx", &function, 11000, CU_GET_PROC_ADDRESS_DEFAULT, &found));
  VALUE(found);
}

// Both APIs in one program: the runtime works on the primary context.
void with_the_runtime() {
  SECTION("with the runtime");
  CUcontext primary = nullptr, current = nullptr;
  unsigned flags = 0;
  int active = 7;
  SHOW(cuDevicePrimaryCtxRetain(&primary, device));
  SHOW(cuCtxSetCurrent(primary));
  int* data = nullptr;
  SHOW_RUNTIME(cudaMalloc(&data, 128));
  SHOW(cuMemsetD32((CUdeviceptr)data, 41, 32));
  add_one<<<1, 32>>>(data);
  int host[32] = {};
  SHOW(cuMemcpyDtoH(host, (CUdeviceptr)data, sizeof host));
  VALUE(host[31]);
  CUstream stream = nullptr;
  SHOW(cuStreamCreate(&stream, 0));
  add_one<<<1, 32, 0, stream>>>(data);
  SHOW_RUNTIME(cudaStreamSynchronize(stream));
  SHOW_RUNTIME(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  VALUE(host[0]);
  SHOW(cuMemAlloc(nullptr, 4));
  SHOW_RUNTIME(cudaGetLastError());
  SHOW(cuCtxGetCurrent(&current));
  VALUE(current == primary);
  SHOW(cuDevicePrimaryCtxGetState(device, &flags, &active));
  VALUE(active);
  SHOW(cuMemFree((CUdeviceptr)data));
  SHOW(cuDevicePrimaryCtxRelease(device));
}

// Memory and addresses, allocated separately.
void virtual_memory() {
  SECTION("virtual memory");
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  size_t unit = 0;
  SHOW(cuMemGetAllocationGranularity(&unit, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  VALUE(unit);
  CUdeviceptr range = 0;
  SHOW(cuMemAddressReserve(&range, 100, 0, 0, 0));
  SHOW(cuMemAddressReserve(&range, 4 * unit, 0, 0, 0));
  CUmemGenericAllocationHandle first = 0, second = 0;
  SHOW(cuMemCreate(&first, 100, &properties, 0));
  SHOW(cuMemCreate(&first, unit, &properties, 0));
  SHOW(cuMemCreate(&second, unit, &properties, 0));
  SHOW(cuMemMap(range, unit, 0, first, 0));
  SHOW(cuMemMap(range, unit, 0, second, 0));
  SHOW(cuMemMap(range + unit, unit, 0, second, 0));
  SHOW(cuMemMap(range + 4 * unit, unit, 0, second, 0));
  SHOW(cuMemMap(range + 2 * unit, 2 * unit, 0, second, 0));
  SHOW(cuMemMap(range + 2 * unit, unit, 0, first, 0));
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SHOW(cuMemSetAccess(range, 3 * unit, &access, 1));
  SHOW(cuMemSetAccess(range, 4 * unit, &access, 1));
  unsigned long long flags = 0;
  SHOW(cuMemGetAccess(&flags, &properties.location, range));
  VALUE(flags);
  SHOW(cuMemRelease(first));
  // Across the boundary, and through the second address of the first memory.
  SHOW(cuMemsetD32(range + unit - 64, 0x01010101, 32));
  unsigned host[32] = {};
  SHOW(cuMemcpyDtoH(host, range + unit - 64, sizeof host));
  VALUE(host[0] + host[31]);
  SHOW(cuMemcpyDtoH(host, range + 3 * unit - 64, 64));
  VALUE(host[15]);
  CUmemGenericAllocationHandle again = 0;
  SHOW(cuMemRetainAllocationHandle(&again, (void*)range));
  VALUE(again == first);
  SHOW(cuMemRelease(again));
  SHOW(cuMemAddressFree(range, 4 * unit));
  SHOW(cuMemUnmap(range, unit / 2));
  SHOW(cuMemUnmap(range, 3 * unit));
  SHOW(cuMemRelease(second));
  SHOW(cuMemRelease(second));
  SHOW(cuMemcpyDtoH(host, range, 4));
  SHOW(cuMemAddressFree(range, unit));
  SHOW(cuMemAddressFree(range, 4 * unit));
}

// Modules made of parts.
void linking() {
  SECTION("linking");
  CUlinkState state = nullptr;
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  SHOW(cuLinkCreate(2, options, values, &state));
  SHOW(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)".version 7.8\n.target sm_75\n.entry e() { frobnicate.u32; }\n", 52,
                     "wrong", 0, nullptr, nullptr));
  VALUE(std::strlen(log) > 10);
  SHOW(cuLinkDestroy(state));
  SHOW(cuLinkCreate(0, nullptr, nullptr, &state));
  SHOW(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void*)kModule, std::strlen(kModule) + 1, "right", 0, nullptr, nullptr));
  SHOW(cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/there/is/no/such/file.ptx", 0, nullptr, nullptr));
  void* image = nullptr;
  size_t bytes = 0;
  SHOW(cuLinkComplete(state, &image, &bytes));
  VALUE(bytes > 0);
  CUmodule linked = nullptr;
  CUfunction function = nullptr;
  SHOW(cuModuleLoadData(&linked, image));
  SHOW(cuLinkDestroy(state));
  SHOW(cuModuleGetFunction(&function, linked, "count"));
  SHOW(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  SHOW(cuModuleUnload(linked));
}

// Modules without a context.
void libraries() {
  SECTION("libraries");
  CUlibrary library = nullptr;
  SHOW(cuLibraryLoadData(&library, kModule, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel = nullptr;
  CUfunction function = nullptr;
  SHOW(cuLibraryGetKernel(&kernel, library, "no_such_kernel"));
  SHOW(cuLibraryGetKernel(&kernel, library, "scale"));
  SHOW(cuKernelGetFunction(&function, kernel));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  SHOW(cuLibraryGetGlobal(&address, &bytes, library, "counter"));
  VALUE(bytes);
  SHOW(cuLibraryGetGlobal(&address, &bytes, library, "no_such_variable"));
  const char* name = "";
  SHOW(cuKernelGetName(&name, kernel));
  std::printf("%s\n", name);
  int value = 0;
  SHOW(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device));
  VALUE(value);
  CUdeviceptr data = 0;
  unsigned n = 32, host[32] = {};
  SHOW(cuMemAlloc(&data, 128));
  void* arguments[] = {&data, &n};
  SHOW(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  SHOW(cuMemcpyDtoH(host, data, sizeof host));
  VALUE(host[31]);
  SHOW(cuMemFree(data));
  SHOW(cuLibraryUnload(library));
}

void teardown() {
  SECTION("teardown");
  SHOW(cuCtxSetCurrent(context));
  SHOW(cuModuleUnload(module));
  SHOW(cuCtxDestroy(context));
  CUdeviceptr address = 0;
  CUcontext current = nullptr;
  SHOW(cuCtxGetCurrent(&current));
  SHOW(cuCtxSetCurrent(nullptr));
}

int main() {
  before_init();
  devices();
  contexts();
  modules();
  memory();
  launches();
  streams();
  entry_points();
  virtual_memory();
  linking();
  libraries();
  with_the_runtime();
  teardown();
}
