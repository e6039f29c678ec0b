// The C++ side of the runtime API: the same functions for typed pointers, kernels and symbols.
#pragma once

#include "../cuda_runtime_api.h"

template <class T> cudaError_t cudaMalloc(T** p, size_t size) { return ::cudaMalloc((void**)(p), size); }
template <class T> cudaError_t cudaMallocHost(T** p, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)(p), size, flags);
}
template <class T> cudaError_t cudaHostAlloc(T** p, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)(p), size, flags);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(device), host, flags);
}
template <class T> cudaError_t cudaMallocManaged(T** p, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(p), size, flags);
}
template <class T> cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(p), pitch, width, height);
}
template <class T> cudaError_t cudaMallocAsync(T** p, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(p), size, stream);
}
template <class T> cudaError_t cudaMallocAsync(T** p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(p), size, pool, stream);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T** p, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(p), size, pool, stream);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* p, size_t length = 0,
                                     unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(p), length, flags);
}

// --- symbols ----------------------------------------------------------------------------------------
template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), src, count, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t count, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), src, count, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t count, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(dst, reinterpret_cast<const void*>(&symbol), count, offset, kind, stream);
}
template <class T, class S> cudaError_t cudaGetSymbolAddress(T** p, const S& symbol) {
  return ::cudaGetSymbolAddress((void**)(p), reinterpret_cast<const void*>(&symbol));
}
template <class T> cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}

// --- kernels ----------------------------------------------------------------------------------------
template <class T>
cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedMem = 0,
                             cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedMem, stream);
}
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t sharedMem = 0,
                                        cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, sharedMem,
                                       stream);
}
namespace warpwise_cuda {
template <class T> struct Same { typedef T type; };  // keeps a parameter out of template deduction
}
// The arguments are converted to the kernel's parameter types, as a call converts them.
template <class... Parameters>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               typename warpwise_cuda::Same<Parameters>::type... arguments) {
  void* pointers[sizeof...(Parameters) + 1] = {
      const_cast<void*>(static_cast<const void*>(__builtin_addressof(arguments)))...};
  return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T> cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T> cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(kernel));
}
template <class T> cudaError_t cudaGetKernel(cudaKernel_t* out, T* kernel) {
  return ::cudaGetKernel(out, reinterpret_cast<const void*>(kernel));
}

// --- occupancy --------------------------------------------------------------------------------------
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel, int blockSize, size_t sharedMem) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel),
                                                                  blockSize, sharedMem, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel, int blockSize,
                                                                   size_t sharedMem, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel),
                                                                  blockSize, sharedMem, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, reinterpret_cast<const void*>(kernel), blocks, blockSize);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, T* kernel, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, reinterpret_cast<const void*>(kernel), config);
}
// The block size, a multiple of the warp size, that keeps most threads resident; of equal ones the largest.
// Stops early when a multiprocessor is full.
template <class SharedMemOfBlock, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize, int* blockSize, T kernel,
                                                                    SharedMemOfBlock sharedMem, int limit = 0,
                                                                    unsigned int flags = 0) {
  int device = 0, processors = 0, threadsPerProcessor = 0, most = 0;
  cudaFuncAttributes attributes;
  cudaError_t error;
  if (!minGridSize || !blockSize) return cudaErrorInvalidValue;
  if ((error = ::cudaGetDevice(&device)) != cudaSuccess) return error;
  if ((error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device)) != cudaSuccess) return error;
  if ((error = cudaDeviceGetAttribute(&threadsPerProcessor, cudaDevAttrMaxThreadsPerMultiProcessor, device)) != cudaSuccess)
    return error;
  if ((error = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel))) != cudaSuccess) return error;
  most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int bestThreads = 0;
  for (int size = most;;) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, reinterpret_cast<const void*>(kernel), size,
                                                                     sharedMem(size), flags);
    if (error != cudaSuccess) return error;
    if (blocks * size > bestThreads) {
      bestThreads = blocks * size;
      *blockSize = size;
      *minGridSize = blocks * processors;
    }
    if (bestThreads == threadsPerProcessor || size <= 32) break;
    size = (size - 1) / 32 * 32;
  }
  return cudaSuccess;
}
namespace warpwise_cuda {
struct ConstantSharedMem {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
}  // namespace warpwise_cuda
template <class SharedMemOfBlock, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, T kernel,
                                                           SharedMemOfBlock sharedMem, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, kernel, sharedMem, limit, 0u);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, T kernel,
                                                        size_t sharedMem = 0, int limit = 0, unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, kernel, warpwise_cuda::ConstantSharedMem{sharedMem}, limit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, T kernel, size_t sharedMem = 0,
                                               int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, kernel, sharedMem, limit, 0u);
}

// --- small things -----------------------------------------------------------------------------------
// CUDA 13 names memory by a location instead of a device.
static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return ::cudaMemAdvise_v2(pointer, count, advice, location);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
// CUDA 11's way to say where an error message goes; CUDA 12 keeps the words and writes none.
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
  return ::cudaGraphInstantiate(exec, graph, 0ull);
}
// CUDA 13's parameters.
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                                                   size_t* count) {
  return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, data, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                              const cudaGraphEdgeData* data, size_t count, unsigned int flags) {
  return ::cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, data, count, flags);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                           const cudaGraphEdgeData* data, size_t count, struct cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode_v2(node, graph, dependencies, data, count, parameters);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                   const cudaGraphEdgeData* data, size_t count) {
  return ::cudaGraphAddDependencies_v2(graph, from, to, data, count);
}
static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                      const cudaGraphEdgeData* data, size_t count) {
  return ::cudaGraphRemoveDependencies_v2(graph, from, to, data, count);
}
static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                            cudaGraphEdgeData* data, size_t* count) {
  return ::cudaGraphGetEdges_v2(graph, from, to, data, count);
}
static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                                       size_t* count) {
  return ::cudaGraphNodeGetDependencies_v2(node, nodes, data, count);
}
static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                                         cudaGraphEdgeData* data, size_t* count) {
  return ::cudaGraphNodeGetDependentNodes_v2(node, nodes, data, count);
}
// CUDA 11's parameters of an update.
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* errorNode,
                                              enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info = {};
  cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return error;
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                           size_t numDependencies, const T& symbol, const void* src, size_t count,
                                           size_t offset, enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, numDependencies, (const void*)&symbol, src, count, offset, kind);
}
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                             size_t numDependencies, void* dst, const T& symbol, size_t count, size_t offset,
                                             enum cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, numDependencies, dst, (const void*)&symbol, count, offset, kind);
}
#if defined(__CUDA__) && defined(__clang__)
// A conditional's handle is the address of its value.
static __device__ inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int*)handle = value;
}
#endif
static inline cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t xsize, size_t ysize) {
  return cudaPitchedPtr{p, pitch, xsize, ysize};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}

// The channel format of an element type, for arrays and textures.
template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc() { return cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone}; }
#define WARPWISE_CHANNEL(T, bits, kind)                                                                                                    \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T##1>() { return cudaChannelFormatDesc{bits, 0, 0, 0, kind}; }            \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T##2>() { return cudaChannelFormatDesc{bits, bits, 0, 0, kind}; }         \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T##4>() { return cudaChannelFormatDesc{bits, bits, bits, bits, kind}; }
WARPWISE_CHANNEL(char, 8, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(uchar, 8, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(short, 16, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(ushort, 16, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(int, 32, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(uint, 32, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(float, 32, cudaChannelFormatKindFloat)
#undef WARPWISE_CHANNEL
#define WARPWISE_CHANNEL(T, bits, kind) \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() { return cudaChannelFormatDesc{bits, 0, 0, 0, kind}; }
WARPWISE_CHANNEL(char, 8, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(signed char, 8, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(unsigned char, 8, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(short, 16, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(unsigned short, 16, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(int, 32, cudaChannelFormatKindSigned)
WARPWISE_CHANNEL(unsigned int, 32, cudaChannelFormatKindUnsigned)
WARPWISE_CHANNEL(float, 32, cudaChannelFormatKindFloat)
#undef WARPWISE_CHANNEL
