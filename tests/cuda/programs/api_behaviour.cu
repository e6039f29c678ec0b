// The results of right and wrong calls of the CUDA runtime, one line per call: the name of the error that it
// returns and the one left for cudaGetLastError. The expectation follows CUDA's manual; run against NVIDIA's
// runtime on a GPU (nvcc -cudart static), the program shows where the manual was misread.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
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

__global__ void add_one(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}
__global__ void write_symbol(int value) { symbol[threadIdx.x & 3] = value + threadIdx.x; }
__global__ void __launch_bounds__(128) bounded(int* data) { data[threadIdx.x] = 1; }
__global__ void with_shared(int* data) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
__global__ void empty() {}
void not_a_kernel() {}

struct Big { double values[20]; };
__global__ void take_struct(Big big, char c, long long* out) { *out = (long long)big.values[19] + c; }

void CUDART_CB host_function(void* data) { ++*static_cast<int*>(data); }
void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) { *static_cast<int*>(data) += 10 + status; }

void devices() {
  SECTION("devices");
  int count = 0, device = 7;
  SHOW(cudaGetDeviceCount(&count));
  SHOW(cudaGetDeviceCount(nullptr));
  SHOW(cudaGetDevice(&device));
  VALUE(device);
  SHOW(cudaSetDevice(count));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaSetDevice(0));
  cudaDeviceProp prop;
  SHOW(cudaGetDeviceProperties(&prop, 0));
  VALUE(prop.warpSize);
  VALUE(prop.maxThreadsPerBlock);
  VALUE(prop.sharedMemPerBlock);
  VALUE(prop.regsPerBlock);
  VALUE(prop.maxGridSize[0]);
  VALUE(prop.maxThreadsDim[2]);
  VALUE(prop.totalConstMem);
  VALUE(prop.unifiedAddressing);
  VALUE(prop.managedMemory);
  SHOW(cudaGetDeviceProperties(&prop, count));
  int value = -1;
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  VALUE(value);
  SHOW(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, count));
  SHOW(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  size_t limit = 0;
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  VALUE(limit);
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  VALUE(limit);
  SHOW(cudaDeviceSetLimit((cudaLimit)77, 1));
  SHOW(cudaDeviceGetLimit(&limit, (cudaLimit)77));
  int least = 9, greatest = 9;
  SHOW(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  VALUE(least);
  VALUE(greatest);
  cudaFuncCache cache;
  SHOW(cudaDeviceGetCacheConfig(&cache));
  VALUE(cache);
  SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  unsigned flags = 99;
  SHOW(cudaGetDeviceFlags(&flags));
  VALUE(flags);
  SHOW(cudaSetDeviceFlags(0x4000));
  int peer = 9;
  SHOW(cudaDeviceCanAccessPeer(&peer, 0, 0));
  VALUE(peer);
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceDisablePeerAccess(0));
  char bus[32] = "";
  SHOW(cudaDeviceGetPCIBusId(bus, 4, 0));
  SHOW(cudaDeviceGetByPCIBusId(&device, "zz"));
}

void memory() {
  SECTION("memory");
  void* p = (void*)1;
  SHOW(cudaMalloc(&p, 0));
  VALUE(p == nullptr);
  SHOW(cudaMalloc(nullptr, 16));
  SHOW(cudaMalloc(&p, (size_t)1 << 60));
  VALUE(p == nullptr);
  SHOW(cudaFree(nullptr));
  int* d = nullptr;
  SHOW(cudaMalloc(&d, 1024));
  VALUE((size_t)d % 256);
  SHOW(cudaFree(d + 1));
  int local = 0;
  SHOW(cudaFree(&local));
  std::vector<int> h(256, 3), back(256, 0);
  SHOW(cudaMemcpy(d, h.data(), 1024, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(back.data(), d, 1024, cudaMemcpyDeviceToHost));
  VALUE(back[255]);
  SHOW(cudaMemcpy(back.data(), d, 1024, cudaMemcpyDefault));
  SHOW(cudaMemcpy(h.data(), back.data(), 1024, cudaMemcpyDefault));
  SHOW(cudaMemcpy(h.data(), back.data(), 1024, cudaMemcpyHostToHost));
  SHOW(cudaMemcpy(d, h.data(), 1024, (cudaMemcpyKind)9));
  SHOW(cudaMemcpy(d, h.data(), 4096 << 10, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, h.data(), 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(h.data(), back.data(), 1024, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(h.data(), back.data(), 1024, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(h.data(), back.data(), 1024, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(h.data(), d, 1024, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(d, h.data(), 1024, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(d, d, 1024, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyPeer(d, 0, d, 0, 16));
  SHOW(cudaMemcpyPeer(d, 3, d, 0, 16));
  SHOW(cudaMemset(d, 0x11, 1024));
  SHOW(cudaMemcpy(back.data(), d, 1024, cudaMemcpyDeviceToHost));
  VALUE(back[17]);
  SHOW(cudaMemset(nullptr, 0, 4));
  SHOW(cudaMemset(nullptr, 0, 0));
  SHOW(cudaMemset(h.data(), 0, 4));
  SHOW(cudaMemset2D(d, 64, 2, 32, 16));
  SHOW(cudaMemset2D(d, 16, 2, 32, 16));
  SHOW(cudaMemcpy(back.data(), d, 1024, cudaMemcpyDeviceToHost));
  VALUE(back[0]);
  VALUE(back[8]);
  SHOW(cudaMemcpy2D(back.data(), 32, d, 64, 32, 16, cudaMemcpyDeviceToHost));
  VALUE(back[100]);
  SHOW(cudaMemcpy2D(back.data(), 16, d, 64, 32, 16, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy2D(back.data(), 32, d, 64, 0, 16, cudaMemcpyDeviceToHost));
  size_t pitch = 0;
  SHOW(cudaMallocPitch(&p, &pitch, 100, 7));
  VALUE(pitch);
  SHOW(cudaFree(p));
  SHOW(cudaMallocPitch(&p, &pitch, 0, 7));
  cudaPitchedPtr box = {};
  SHOW(cudaMalloc3D(&box, make_cudaExtent(100, 3, 4)));
  VALUE(box.pitch);
  VALUE(box.xsize);
  VALUE(box.ysize);
  SHOW(cudaMemset3D(box, 7, make_cudaExtent(100, 3, 4)));
  std::vector<unsigned char> packed(100 * 3 * 4);
  cudaMemcpy3DParms parms = {};
  parms.srcPtr = box;
  parms.dstPtr = make_cudaPitchedPtr(packed.data(), 100, 100, 3);
  parms.extent = make_cudaExtent(100, 3, 4);
  parms.kind = cudaMemcpyDeviceToHost;
  SHOW(cudaMemcpy3D(&parms));
  VALUE(packed[1199]);
  SHOW(cudaMemcpy3D(nullptr));
  SHOW(cudaFree(box.ptr));
  cudaPointerAttributes attributes;
  SHOW(cudaPointerGetAttributes(&attributes, d + 3));
  VALUE(attributes.type);
  VALUE(attributes.device);
  VALUE(attributes.devicePointer == d + 3);
  VALUE(attributes.hostPointer == nullptr);
  SHOW(cudaPointerGetAttributes(&attributes, &local));
  VALUE(attributes.type);
  VALUE(attributes.device);
  VALUE(attributes.devicePointer == nullptr);
  VALUE(attributes.hostPointer == nullptr);
  SHOW(cudaPointerGetAttributes(&attributes, nullptr));
  VALUE(attributes.type);
  VALUE(attributes.device);
  SHOW(cudaPointerGetAttributes(nullptr, d));
  size_t free_bytes = 0, total = 0;
  SHOW(cudaMemGetInfo(&free_bytes, &total));
  VALUE(free_bytes <= total && total != 0);
  SHOW(cudaFree(d));
  SHOW(cudaFree(d));
  SHOW(cudaMemcpy(d, h.data(), 16, cudaMemcpyHostToDevice));
}

void host_memory() {
  SECTION("host memory");
  int* pinned = nullptr;
  SHOW(cudaMallocHost((void**)&pinned, 4096));
  pinned[0] = 41;
  void* device_side = nullptr;
  SHOW(cudaHostGetDevicePointer(&device_side, pinned, 0));
  VALUE(device_side == pinned);
  unsigned flags = 0;
  SHOW(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);
  cudaPointerAttributes attributes;
  SHOW(cudaPointerGetAttributes(&attributes, pinned));
  VALUE(attributes.type);
  VALUE(attributes.device);
  VALUE(attributes.devicePointer == pinned);
  VALUE(attributes.hostPointer == pinned);
  add_one<<<1, 1>>>(pinned, 1);
  SHOW(cudaDeviceSynchronize());
  VALUE(pinned[0]);
  SHOW(cudaFree(pinned));
  SHOW(cudaFreeHost(pinned));
  SHOW(cudaFreeHost(pinned));
  SHOW(cudaFreeHost(nullptr));
  SHOW(cudaMallocHost((void**)&pinned, 0));
  SHOW(cudaHostAlloc((void**)&pinned, 64, 0x100));
  SHOW(cudaHostAlloc((void**)&pinned, 64, cudaHostAllocMapped | cudaHostAllocPortable));
  SHOW(cudaHostGetFlags(&flags, pinned));
  VALUE(flags);
  SHOW(cudaFreeHost(pinned));
  static int page[4096];
  SHOW(cudaHostRegister(page, sizeof page, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(page, sizeof page, cudaHostRegisterDefault));
  SHOW(cudaHostUnregister(page));
  SHOW(cudaHostUnregister(page));
  SHOW(cudaHostRegister(nullptr, 64, 0));
  SHOW(cudaHostRegister(page, 0, 0));
  int local = 0;
  SHOW(cudaHostGetDevicePointer(&device_side, &local, 0));
  SHOW(cudaHostGetFlags(&flags, &local));
  int* managed = nullptr;
  SHOW(cudaMallocManaged(&managed, 64));
  managed[3] = 8;
  add_one<<<1, 16>>>(managed, 16);
  SHOW(cudaDeviceSynchronize());
  VALUE(managed[3]);
  SHOW(cudaPointerGetAttributes(&attributes, managed));
  VALUE(attributes.type);
  VALUE(attributes.device);
  VALUE(attributes.devicePointer == managed);
  VALUE(attributes.hostPointer == managed);
  // CUDA 13 changed the parameters of these two.
#if CUDART_VERSION >= 13000
  auto device = [](int number) { return cudaMemLocation{cudaMemLocationTypeDevice, number}; };
#define PREFETCH_FLAGS , 0
#else
  auto device = [](int number) { return number; };
#define PREFETCH_FLAGS
#endif
  cudaError_t result = cudaMemPrefetchAsync(managed, 64, device(0) PREFETCH_FLAGS);
  SHOW(result);
  result = cudaMemPrefetchAsync(managed, 64, device(77) PREFETCH_FLAGS);
  SHOW(result);
  SHOW(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, device(0)));
  SHOW(cudaMemAdvise(managed, 64, (cudaMemoryAdvise)66, device(0)));
  SHOW(cudaMallocManaged(&managed, 0));
  SHOW(cudaMallocManaged(&managed, 64, 0x77));
  SHOW(cudaFree(managed));
}

void symbols() {
  SECTION("symbols");
  int values[4] = {1, 2, 3, 4};
  SHOW(cudaMemcpyToSymbol(symbol, values, sizeof values));
  write_symbol<<<1, 2>>>(100);
  int back[4] = {};
  SHOW(cudaMemcpyFromSymbol(back, symbol, sizeof back));
  VALUE(back[1]);
  VALUE(back[2]);
  SHOW(cudaMemcpyToSymbol(symbol, values, sizeof values, 4));
  SHOW(cudaMemcpyToSymbol(symbol, values, 4, 12));
  SHOW(cudaMemcpyToSymbol(values, values, 4));
  SHOW(cudaMemcpyToSymbol(symbol, values, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpyFromSymbol(back, symbol, 4, 0, cudaMemcpyHostToDevice));
  void* address = nullptr;
  SHOW(cudaGetSymbolAddress(&address, coefficients));
  VALUE(address != nullptr);
  SHOW(cudaGetSymbolAddress(&address, values));
  size_t size = 0;
  SHOW(cudaGetSymbolSize(&size, coefficients));
  VALUE(size);
}

void streams() {
  SECTION("streams");
  cudaStream_t stream = nullptr;
  SHOW(cudaStreamCreate(nullptr));
  SHOW(cudaStreamCreateWithFlags(&stream, 0x8));
  SHOW(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100));
  int priority = 77;
  SHOW(cudaStreamGetPriority(stream, &priority));
  VALUE(priority);
  unsigned flags = 77;
  SHOW(cudaStreamGetFlags(stream, &flags));
  VALUE(flags);
  SHOW(cudaStreamGetFlags(nullptr, &flags));
  VALUE(flags);
  SHOW(cudaStreamQuery(stream));
  SHOW(cudaStreamQuery(nullptr));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaStreamSynchronize(cudaStreamLegacy));
  SHOW(cudaStreamSynchronize(cudaStreamPerThread));
  int calls = 0;
  SHOW(cudaLaunchHostFunc(stream, host_function, &calls));
  SHOW(cudaStreamAddCallback(stream, callback, &calls, 0));
  SHOW(cudaStreamAddCallback(stream, callback, &calls, 5));
  SHOW(cudaLaunchHostFunc(stream, nullptr, &calls));
  SHOW(cudaStreamSynchronize(stream));
  VALUE(calls);
  cudaStreamCaptureStatus capture;
  SHOW(cudaStreamIsCapturing(stream, &capture));
  VALUE(capture);
  SHOW(cudaStreamDestroy(stream));
  SHOW(cudaStreamDestroy(nullptr));
  cudaEvent_t event = nullptr, second = nullptr;
  SHOW(cudaEventCreate(nullptr));
  SHOW(cudaEventCreateWithFlags(&event, 0x100));
  SHOW(cudaEventCreate(&event));
  SHOW(cudaEventCreateWithFlags(&second, cudaEventDisableTiming));
  SHOW(cudaEventQuery(event));
  SHOW(cudaEventSynchronize(event));
  float ms = -1;
  SHOW(cudaEventElapsedTime(&ms, event, event));
  SHOW(cudaEventRecord(event, nullptr));
  SHOW(cudaEventRecord(second));
  SHOW(cudaEventSynchronize(event));
  SHOW(cudaEventQuery(event));
  SHOW(cudaEventElapsedTime(&ms, event, event));
  VALUE(ms == 0);
  SHOW(cudaEventSynchronize(second));
  SHOW(cudaEventElapsedTime(&ms, event, second));
  SHOW(cudaEventElapsedTime(nullptr, event, event));
  SHOW(cudaEventRecord(nullptr));
  SHOW(cudaEventQuery(nullptr));
  SHOW(cudaStreamWaitEvent(nullptr, event, 0));
  SHOW(cudaStreamWaitEvent(nullptr, nullptr, 0));
  SHOW(cudaStreamWaitEvent(nullptr, event, 9));
  SHOW(cudaEventDestroy(event));
  SHOW(cudaEventDestroy(second));
  SHOW(cudaEventDestroy(nullptr));
  void* p = nullptr;
  SHOW(cudaMallocAsync(&p, 256, nullptr));
  SHOW(cudaMemsetAsync(p, 1, 256, nullptr));
  SHOW(cudaFreeAsync(p, nullptr));
  SHOW(cudaFreeAsync(nullptr, nullptr));
  SHOW(cudaDeviceSynchronize());
  SHOW(cudaMallocAsync(&p, 0, nullptr));
  VALUE(p == nullptr);
}

void launches() {
  SECTION("launches");
  int* d = nullptr;
  SHOW(cudaMalloc(&d, 4096));
  add_one<<<1, 2048>>>(d, 1);
  SHOW(cudaPeekAtLastError());
  add_one<<<0, 32>>>(d, 1);
  SHOW(cudaPeekAtLastError());
  add_one<<<dim3(1, 65536), 32>>>(d, 1);
  SHOW(cudaPeekAtLastError());
  add_one<<<1, dim3(1, 1, 65)>>>(d, 1);
  SHOW(cudaPeekAtLastError());
  add_one<<<1, 0>>>(d, 1);
  SHOW(cudaPeekAtLastError());
  with_shared<<<1, 32, 64 << 10>>>(d);
  SHOW(cudaPeekAtLastError());
  bounded<<<1, 256>>>(d);
  SHOW(cudaPeekAtLastError());
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  with_shared<<<1, 32, 64 << 10>>>(d);
  SHOW(cudaDeviceSynchronize());
  int back[32] = {};
  SHOW(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  VALUE(back[0]);
  SHOW(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  SHOW(cudaFuncSetAttribute(with_shared, (cudaFuncAttribute)99, 1));
  SHOW(cudaFuncSetAttribute((const void*)not_a_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  SHOW(cudaFuncSetCacheConfig(with_shared, cudaFuncCachePreferShared));
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, bounded));
  VALUE(attributes.maxThreadsPerBlock);
  VALUE(attributes.sharedSizeBytes);
  VALUE(attributes.maxDynamicSharedSizeBytes);
  SHOW(cudaFuncGetAttributes(&attributes, (const void*)not_a_kernel));
  SHOW(cudaFuncGetAttributes(nullptr, bounded));
  const char* name = nullptr;
  SHOW(cudaFuncGetName(&name, empty));
  std::printf("%s\n", name);
  size_t offset = 0, size = 0;
  SHOW(cudaFuncGetParamInfo((const void*)take_struct, 2, &offset, &size));
  VALUE(offset);
  VALUE(size);
  SHOW(cudaFuncGetParamInfo((const void*)take_struct, 3, &offset, &size));
  void* no_args[1] = {};
  SHOW(cudaLaunchKernel((const void*)empty, 1, 1, nullptr, 0, nullptr));
  SHOW(cudaLaunchKernel((const void*)not_a_kernel, 1, 1, no_args, 0, nullptr));
  SHOW(cudaLaunchKernel((const void*)nullptr, 1, 1, no_args, 0, nullptr));
  SHOW(cudaLaunchCooperativeKernel((const void*)empty, dim3(1 << 20), dim3(256), no_args, 0, nullptr));
  SHOW(cudaLaunchCooperativeKernel((const void*)empty, dim3(1), dim3(32), no_args, 0, nullptr));
  Big big = {};
  big.values[19] = 30;
  take_struct<<<1, 1>>>(big, 12, (long long*)d);
  long long result = 0;
  SHOW(cudaMemcpy(&result, d, sizeof result, cudaMemcpyDeviceToHost));
  VALUE(result);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  SHOW(cudaLaunchKernelEx(&config, empty));
  int blocks = 0, block_size = 0, min_grid = 0;
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 256, 0));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 1024, 0));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 2048, 0));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 0, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 32, 0));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 32, 40 << 10));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 32, 100 << 10));
  VALUE(blocks);
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)not_a_kernel, 32, 0));
  SHOW(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block_size, empty));
  VALUE(block_size);
  SHOW(cudaFree(d));
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  devices();
  memory();
  host_memory();
  symbols();
  streams();
  launches();
  SECTION("reset");
  SHOW(cudaDeviceReset());
  SHOW(cudaDeviceSynchronize());
  std::printf("done\n");
}
