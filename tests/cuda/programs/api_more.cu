// More results of calls of the CUDA runtime, in the form of api_behaviour.cu: limits, sticky errors, pools, 2D and
// 3D copies, attributes of functions and streams, and null pointers for results where CUDA checks them.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define SHOW(call)                                                        \
  do {                                                                    \
    cudaError_t result_ = (call);                                         \
    cudaError_t last_ = cudaGetLastError();                               \
    std::printf("%s -> %s, last %s\n", #call, cudaGetErrorName(result_), cudaGetErrorName(last_)); \
  } while (0)
#define VALUE(text) std::printf("%s = %lld\n", #text, (long long)(text))
#define SECTION(name) std::printf("[%s]\n", name)

__device__ int symbol[4];
__constant__ float coefficients[8];

__global__ void empty() {}
__global__ void fill(int* data) { data[threadIdx.x] = threadIdx.x; }
__global__ void with_shared(int* data) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
__global__ void static_shared(int* data) {
  __shared__ int scratch[256];
  scratch[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = scratch[255 - threadIdx.x];
}
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {}
}
void not_a_kernel() {}

void errors() {
  SECTION("errors");
  // An error of a launch is kept until cudaGetLastError reads it; calls that succeed do not clear it.
  empty<<<1, 4096>>>();
  std::printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  int device = 0;
  std::printf("%s\n", cudaGetErrorName(cudaGetDevice(&device)));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("%s\n", cudaGetErrorName(cudaPeekAtLastError()));
  // A later error replaces it.
  cudaSetDevice(-5);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("%s: %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
  std::printf("%s: %s\n", cudaGetErrorName((cudaError_t)-1), cudaGetErrorString((cudaError_t)-1));
  // Not ready is a status, and leaves no error.
  int* flag = nullptr;
  cudaMallocHost((void**)&flag, sizeof(int));
  *flag = 0;
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  cudaEventRecord(before, stream);
  wait_for<<<1, 1, 0, stream>>>(flag);
  cudaEventRecord(after, stream);
  SHOW(cudaStreamQuery(stream));
  SHOW(cudaEventQuery(after));
  float ms = 0;
  SHOW(cudaEventElapsedTime(&ms, before, after));
  *(volatile int*)flag = 1;
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaStreamQuery(stream));
  SHOW(cudaEventElapsedTime(&ms, before, after));
  VALUE(ms > 0);
  SHOW(cudaEventElapsedTime(&ms, after, before));
  VALUE(ms < 0);
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  cudaStreamDestroy(stream);
  cudaFreeHost(flag);
}

void limits() {
  SECTION("limits");
  size_t limit = 0;
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 5000));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 0));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 524288));
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 0));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 0));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  VALUE(limit);
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  unsigned flags = 0;
  SHOW(cudaGetDeviceFlags(&flags));
  VALUE(flags);
  SHOW(cudaSetDeviceFlags(0));
  SHOW(cudaGetDeviceFlags(&flags));
  VALUE(flags);
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
  int attribute = 0;
  SHOW(cudaDeviceGetP2PAttribute(&attribute, cudaDevP2PAttrPerformanceRank, 0, 0));
  SHOW(cudaDeviceGetP2PAttribute(&attribute, cudaDevP2PAttrAccessSupported, 0, 9));
  int chosen = 7;
  cudaDeviceProp wanted;
  std::memset(&wanted, 0, sizeof wanted);
  SHOW(cudaChooseDevice(&chosen, &wanted));
  VALUE(chosen);
  SHOW(cudaSetValidDevices(&chosen, 1));
  SHOW(cudaSetValidDevices(&chosen, -1));
  SHOW(cudaDeviceCanAccessPeer(&chosen, 0, 9));
  SHOW(cudaDeviceSetCacheConfig((cudaFuncCache)9));
  SHOW(cudaDeviceGetAttribute(&attribute, (cudaDeviceAttr)0, 0));
  SHOW(cudaDeviceGetAttribute(&attribute, cudaDevAttrMaxThreadsPerBlock, -1));
}

void copies() {
  SECTION("copies");
  char *d = nullptr, *e = nullptr;
  cudaMalloc((void**)&d, 4096);
  cudaMalloc((void**)&e, 4096);
  std::vector<char> h(8192, 1);
  SHOW(cudaMemcpyAsync(d, h.data(), 64, cudaMemcpyHostToDevice, nullptr));
  SHOW(cudaMemcpyAsync(d, h.data(), 64, cudaMemcpyDefault, cudaStreamLegacy));
  SHOW(cudaMemcpyAsync(d, e, 64, cudaMemcpyDeviceToDevice, cudaStreamPerThread));
  SHOW(cudaMemcpyAsync(d, h.data(), 64, (cudaMemcpyKind)-1, nullptr));
  SHOW(cudaMemcpyAsync(nullptr, h.data(), 64, cudaMemcpyHostToDevice, nullptr));
  SHOW(cudaMemcpy(d + 4000, h.data(), 97, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(d, d + 16, 64, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(d, h.data(), 0, (cudaMemcpyKind)9));
  SHOW(cudaMemset(d + 4000, 0, 97));
  SHOW(cudaMemsetAsync(d, 0, 64, nullptr));
  SHOW(cudaMemcpy2D(d, 64, h.data(), 64, 64, 65, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 64, h.data(), 32, 64, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 64, h.data(), 64, 64, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 32, h.data(), 64, 64, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(nullptr, 64, h.data(), 64, 64, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, (size_t)1 << 40, h.data(), 64, 64, 1, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 64, h.data(), 64, 64, 2, (cudaMemcpyKind)7));
  SHOW(cudaMemset2D(d, 64, 0, 0, 5));
  SHOW(cudaMemset2D(d, 64, 0, 5, 0));
  SHOW(cudaMemset2D(d, 0, 0, 5, 1));
  SHOW(cudaMemset2D(nullptr, 64, 0, 5, 2));
  SHOW(cudaMemset2D(d, 64, 0, 64, 65));
  SHOW(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 8), 0, make_cudaExtent(65, 2, 2)));
  SHOW(cudaMemset3D(make_cudaPitchedPtr(d, 64, 64, 8), 0, make_cudaExtent(64, 0, 2)));
  SHOW(cudaMemset3D(make_cudaPitchedPtr(nullptr, 64, 64, 8), 0, make_cudaExtent(64, 1, 2)));
  cudaMemcpy3DParms parms = {};
  SHOW(cudaMemcpy3D(&parms));
  parms.srcPtr = make_cudaPitchedPtr(h.data(), 64, 64, 8);
  parms.dstPtr = make_cudaPitchedPtr(d, 64, 64, 8);
  parms.extent = make_cudaExtent(64, 8, 2);
  parms.kind = cudaMemcpyHostToDevice;
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(65, 8, 2);
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(64, 9, 2);
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(64, 8, 0);
  SHOW(cudaMemcpy3D(&parms));
  parms.extent = make_cudaExtent(64, 8, 2);
  parms.dstPtr.ptr = nullptr;
  SHOW(cudaMemcpy3D(&parms));
  void* p = nullptr;
  size_t pitch = 0;
  SHOW(cudaMallocPitch(&p, &pitch, 1, 1));
  VALUE(pitch);
  cudaFree(p);
  SHOW(cudaMallocPitch(&p, &pitch, 512, 1));
  VALUE(pitch);
  cudaFree(p);
  SHOW(cudaMallocPitch(&p, &pitch, 513, 3));
  VALUE(pitch);
  cudaFree(p);
  SHOW(cudaMallocPitch(&p, &pitch, 16, 0));
  SHOW(cudaMallocPitch(&p, &pitch, (size_t)1 << 50, 1000));
  cudaPitchedPtr box;
  SHOW(cudaMalloc3D(&box, make_cudaExtent(0, 1, 1)));
  SHOW(cudaMalloc3D(&box, make_cudaExtent((size_t)1 << 60, 2, 2)));
  int values[4] = {1, 2, 3, 4};
  SHOW(cudaMemcpyToSymbolAsync(symbol, values, sizeof values));
  SHOW(cudaMemcpyFromSymbol(values, symbol, 8, 12));
  SHOW(cudaMemcpyToSymbol(symbol, values, 0));
  SHOW(cudaMemcpyToSymbol(symbol, values, 0, 17));
  SHOW(cudaMemcpyToSymbol(symbol, nullptr, 4));
  SHOW(cudaMemcpyToSymbol(coefficients, values, 16, 16, cudaMemcpyDefault));
  SHOW(cudaFree(d + 64));
  SHOW(cudaFreeHost(d));
  SHOW(cudaHostUnregister(d));
  SHOW(cudaFree(d));
  SHOW(cudaFree(e));
}

void host_and_pools() {
  SECTION("host and pools");
  char* pinned = nullptr;
  SHOW(cudaHostAlloc((void**)&pinned, 64, cudaHostAllocDefault));
  unsigned flags = 0;
  SHOW(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);
  SHOW(cudaHostGetFlags(&flags, pinned + 8));
  void* device_side = nullptr;
  SHOW(cudaHostGetDevicePointer(&device_side, pinned, 1));
  SHOW(cudaHostGetDevicePointer(&device_side, pinned + 8, 0));
  VALUE(device_side == pinned + 8);
  SHOW(cudaFreeHost(pinned + 8));
  SHOW(cudaHostRegister(pinned, 64, 0));
  SHOW(cudaFreeHost(pinned));
  SHOW(cudaHostAlloc((void**)&pinned, 64, cudaHostAllocWriteCombined));
  SHOW(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);
  SHOW(cudaFreeHost(pinned));
  SHOW(cudaHostAlloc((void**)&pinned, 0, 0));
  static char page[16384];
  SHOW(cudaHostRegister(page, 8192, 0x80));
  SHOW(cudaHostRegister(page, 8192, cudaHostRegisterMapped));
  SHOW(cudaHostRegister(page + 4096, 8192, 0));
  SHOW(cudaHostUnregister(page + 64));
  SHOW(cudaHostUnregister(page));
  int* managed = nullptr;
  SHOW(cudaMallocManaged(&managed, 64, cudaMemAttachHost));
  SHOW(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachGlobal));
  SHOW(cudaFree(managed));
  SHOW(cudaMallocManaged(&managed, (size_t)1 << 62));
  cudaMemPool_t pool = nullptr, mine = nullptr;
  SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
  SHOW(cudaDeviceGetDefaultMemPool(&pool, 9));
  SHOW(cudaDeviceGetMemPool(&mine, 0));
  VALUE(pool == mine);
  unsigned long long threshold = 77;
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  VALUE(threshold);
  threshold = ~0ull;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  int reuse = 7;
  SHOW(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  VALUE(reuse);
  SHOW(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &reuse));
  cudaMemPoolProps props;
  std::memset(&props, 0, sizeof props);
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  SHOW(cudaMemPoolCreate(&mine, &props));
  int *a = nullptr, *b = nullptr;
  SHOW(cudaMallocFromPoolAsync((void**)&a, 1024, mine, nullptr));
  SHOW(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &threshold));
  VALUE(threshold);
  SHOW(cudaFreeAsync(a, nullptr));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &threshold));
  VALUE(threshold);
  SHOW(cudaMemPoolTrimTo(mine, 0));
  SHOW(cudaMemPoolDestroy(mine));
  SHOW(cudaMemPoolDestroy(pool));
  SHOW(cudaMallocAsync((void**)&b, (size_t)1 << 60, nullptr));
  SHOW(cudaMallocAsync((void**)&b, 64, nullptr));
  SHOW(cudaFree(b));
  SHOW(cudaMalloc((void**)&a, 64));
  SHOW(cudaFreeAsync(a, nullptr));
  SHOW(cudaDeviceSynchronize());
  int local = 0;
  SHOW(cudaFreeAsync(&local, nullptr));
}

void functions() {
  SECTION("functions");
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, static_shared));
  VALUE(attributes.sharedSizeBytes);
  VALUE(attributes.localSizeBytes);
  VALUE(attributes.maxThreadsPerBlock);
  VALUE(attributes.maxDynamicSharedSizeBytes);
  VALUE(attributes.preferredShmemCarveout);
  VALUE(attributes.ptxVersion >= 50);
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, (227 << 10) + 1));
  SHOW(cudaFuncSetAttribute(static_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10));
  SHOW(cudaFuncSetAttribute(static_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 << 10));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  SHOW(cudaFuncSetCacheConfig(with_shared, (cudaFuncCache)9));
  SHOW(cudaFuncSetCacheConfig((const void*)not_a_kernel, cudaFuncCachePreferL1));
  int blocks = 7;
  size_t bytes = 7;
  SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, with_shared, 2, 128));
  VALUE(bytes);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, -1, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_shared, 256, 0));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 256, 227 << 10));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, empty, 256, 0, 9));
  int* d = nullptr;
  cudaMalloc((void**)&d, 4096);
  static_shared<<<1, 256, 48 << 10>>>(d);
  SHOW(cudaGetLastError());
  static_shared<<<1, 256, 47 << 10>>>(d);
  SHOW(cudaGetLastError());
  with_shared<<<1, 32, (227 << 10) + 1>>>(d);
  SHOW(cudaGetLastError());
  with_shared<<<1, 32, 227 << 10>>>(d);
  SHOW(cudaGetLastError());
  fill<<<dim3(1, 1, 65536), 1>>>(d);
  SHOW(cudaGetLastError());
  fill<<<1, dim3(32, 32, 2)>>>(d);
  SHOW(cudaGetLastError());
  fill<<<1, dim3(1, 1025, 1)>>>(d);
  SHOW(cudaGetLastError());
  SHOW(cudaDeviceSynchronize());
  void* args[] = {&d};
  SHOW(cudaLaunchCooperativeKernel((const void*)fill, dim3(1), dim3(1025), args, 0, nullptr));
  SHOW(cudaLaunchCooperativeKernel((const void*)not_a_kernel, dim3(1), dim3(1), args, 0, nullptr));
  cudaLaunchConfig_t config = {};
  SHOW(cudaLaunchKernelExC(&config, (const void*)fill, args));
  config.gridDim = 1;
  config.blockDim = 32;
  SHOW(cudaLaunchKernelExC(&config, (const void*)fill, args));
  SHOW(cudaLaunchKernelExC(&config, (const void*)not_a_kernel, args));
  cudaFree(d);
}

void streams() {
  SECTION("streams");
  cudaStream_t stream = nullptr, copy = nullptr;
  SHOW(cudaStreamCreateWithPriority(&stream, 0x55, 0));
  SHOW(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, 100));
  int priority = 7;
  SHOW(cudaStreamGetPriority(stream, &priority));
  VALUE(priority);
  SHOW(cudaStreamGetPriority(nullptr, &priority));
  VALUE(priority);
  SHOW(cudaStreamCreate(&copy));
  SHOW(cudaStreamCopyAttributes(copy, stream));
  unsigned long long id = 0;
  SHOW(cudaStreamGetId(stream, &id));
  VALUE(id != 0);
  unsigned flags = 9;
  SHOW(cudaStreamGetFlags(cudaStreamLegacy, &flags));
  VALUE(flags);
  SHOW(cudaStreamGetFlags(cudaStreamPerThread, &flags));
  VALUE(flags);
  SHOW(cudaStreamDestroy(cudaStreamLegacy));
  SHOW(cudaStreamDestroy(cudaStreamPerThread));
  cudaEvent_t event = nullptr;
  SHOW(cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  SHOW(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
  SHOW(cudaEventRecordWithFlags(event, stream, 0));
  SHOW(cudaEventRecordWithFlags(event, stream, 8));
  SHOW(cudaStreamWaitEvent(stream, event));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaEventSynchronize(nullptr));
  SHOW(cudaEventElapsedTime(nullptr, nullptr, nullptr));
  SHOW(cudaStreamDestroy(stream));
  SHOW(cudaStreamDestroy(copy));
  SHOW(cudaEventDestroy(event));
  SHOW(cudaCtxResetPersistingL2Cache());
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
  VALUE(mode);
  char bus[32] = "";
  int device = 5;
  SHOW(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  VALUE(std::strlen(bus));
  SHOW(cudaDeviceGetByPCIBusId(&device, bus));
  VALUE(device);
  SHOW(cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.7"));
  SHOW(cudaDeviceGetPCIBusId(bus, sizeof bus, 9));
  SHOW(cudaInitDevice(0, 0, 0));
  SHOW(cudaInitDevice(9, 0, 0));
}

// A null pointer for the result is an error. (cudaGetSymbolAddress and cudaGetSymbolSize of NVIDIA's runtime write to
// it.)
void nowhere() {
  SECTION("nowhere");
  SHOW(cudaGetDevice(nullptr));
  SHOW(cudaRuntimeGetVersion(nullptr));
  SHOW(cudaDriverGetVersion(nullptr));
  SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  SHOW(cudaMemGetInfo(nullptr, nullptr));
  SHOW(cudaMallocHost((void**)nullptr, 16));
  SHOW(cudaMallocManaged((void**)nullptr, 16));
  SHOW(cudaMallocAsync((void**)nullptr, 16, nullptr));
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  errors();
  limits();
  copies();
  host_and_pools();
  functions();
  streams();
  nowhere();
  std::printf("done\n");
}
