// Wrong calls of functions that api_behaviour and api_more do not test: arrays, textures, surfaces, graphs,
// user objects, pools and attributes. Each returns a code that the manual lists for the function (CUDA Runtime
// API); the test documented_errors looks it up in the toolkit's header.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define SHOW(call)                                                                                        \
  do {                                                                                                    \
    cudaError_t result_ = (call);                                                                         \
    std::printf("%s -> %s\n", #call, cudaGetErrorName(result_));                                          \
    cudaGetLastError();                                                                                   \
  } while (0)
#define SECTION(name) std::printf("[%s]\n", name)

__global__ void kernel(int* p) { *p = 1; }
void not_a_kernel() {}
__device__ int symbol[4];

int main() {
  int host[64] = {}, *memory = nullptr;
  cudaMalloc(&memory, 1024);
  cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>(), odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t array = nullptr, none = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  SECTION("arrays");
  SHOW(cudaMallocArray(nullptr, &f32, 8, 8));
  SHOW(cudaMallocArray(&array, nullptr, 8, 8));
  SHOW(cudaMallocArray(&array, &odd, 8, 8));
  SHOW(cudaMallocArray(&array, &f32, 0, 8));
  SHOW(cudaMallocArray(&array, &f32, 8, 8, 0x4000));
  SHOW(cudaMallocArray(&array, &f32, 1 << 20, 1 << 20));
  SHOW(cudaMallocArray(&array, &f32, 8, 8));
  cudaArray_t box = nullptr;
  SHOW(cudaMalloc3DArray(nullptr, &f32, make_cudaExtent(4, 4, 4)));
  SHOW(cudaMalloc3DArray(&box, &f32, make_cudaExtent(0, 4, 4)));
  SHOW(cudaMalloc3DArray(&box, &f32, make_cudaExtent(4, 5, 6), cudaArrayCubemap));
  cudaExtent extent;
  unsigned flags;
  cudaChannelFormatDesc desc;
  SHOW(cudaArrayGetInfo(&desc, &extent, &flags, nullptr));
  SHOW(cudaGetChannelDesc(&desc, nullptr));
  SHOW(cudaGetChannelDesc(nullptr, array));
  cudaArray_t plane;
  SHOW(cudaMemcpy2DToArray(none, 0, 0, host, 16, 16, 1, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2DToArray(array, 0, 0, nullptr, 16, 16, 1, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2DToArray(array, 0, 0, host, 8, 16, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2DToArray(array, 0, 8, host, 16, 16, 2, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2DToArray(array, 0, 0, host, 16, 16, 1, (cudaMemcpyKind)9));
  SHOW(cudaMemcpy2DFromArray(host, 16, array, 32, 0, 16, 1, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy2DFromArray(host, 8, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy2DArrayToArray(array, 0, 0, none, 0, 0, 4, 1));
  SHOW(cudaMemcpyToArray(array, 0, 0, host, 4096, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyFromArray(host, array, 0, 0, 4096, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy2DToArrayAsync(array, 0, 0, host, 16, 16, 1, (cudaMemcpyKind)9, stream));
  SHOW(cudaMemcpy2DFromArrayAsync(host, 8, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost, stream));
  cudaMipmappedArray_t pyramid = nullptr;
  SHOW(cudaMallocMipmappedArray(nullptr, &f32, make_cudaExtent(8, 8, 0), 2));
  SHOW(cudaMallocMipmappedArray(&pyramid, &odd, make_cudaExtent(8, 8, 0), 2));
  SHOW(cudaMallocMipmappedArray(&pyramid, &f32, make_cudaExtent(8, 8, 0), 2));
  SHOW(cudaGetMipmappedArrayLevel(&plane, pyramid, 7));
  SHOW(cudaGetMipmappedArrayLevel(nullptr, pyramid, 0));
  SHOW(cudaFreeMipmappedArray(pyramid));

  SECTION("textures and surfaces");
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};
  cudaTextureObject_t texture = 0;
  cudaSurfaceObject_t surface = 0;
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  SHOW(cudaCreateTextureObject(nullptr, &resource, &sampling, nullptr));
  SHOW(cudaCreateTextureObject(&texture, nullptr, &sampling, nullptr));
  SHOW(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
  cudaTextureDesc wrong = sampling;
  wrong.readMode = (cudaTextureReadMode)7;
  SHOW(cudaCreateTextureObject(&texture, &resource, &wrong, nullptr));
  cudaResourceDesc linear{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = reinterpret_cast<char*>(memory) + 4;
  linear.res.linear.desc = f32;
  linear.res.linear.sizeInBytes = 64;
  SHOW(cudaCreateTextureObject(&texture, &linear, &sampling, nullptr));
  SHOW(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  SHOW(cudaGetTextureObjectResourceDesc(nullptr, texture));
  SHOW(cudaGetTextureObjectTextureDesc(nullptr, texture));
  cudaTextureDesc got;
  SHOW(cudaGetTextureObjectTextureDesc(&got, 0xbad0));
  SHOW(cudaDestroyTextureObject(texture));
  SHOW(cudaCreateSurfaceObject(nullptr, &resource));
  SHOW(cudaCreateSurfaceObject(&surface, nullptr));
  SHOW(cudaCreateSurfaceObject(&surface, &linear));
  cudaResourceDesc surfaced;
  SHOW(cudaGetSurfaceObjectResourceDesc(&surfaced, 0xbad0));

  SECTION("memory");
  SHOW(cudaMemcpy2DAsync(memory, 4, host, 16, 16, 2, cudaMemcpyHostToDevice, stream));
  SHOW(cudaMemcpy2DAsync(memory, 16, host, 16, 16, 2, (cudaMemcpyKind)9, stream));
  SHOW(cudaMemcpy3DAsync(nullptr, stream));
  SHOW(cudaMemset2DAsync(memory, 8, 0, 16, 4, stream));
  SHOW(cudaMemset3DAsync(make_cudaPitchedPtr(memory, 8, 16, 4), 0, make_cudaExtent(16, 4, 2), stream));
  SHOW(cudaMemcpyFromSymbolAsync(host, symbol, 64, 0, cudaMemcpyDeviceToHost, stream));
  SHOW(cudaMemcpyFromSymbol(host, symbol, 16, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyPeerAsync(memory, 99, memory + 8, 0, 16, stream));
  SHOW(cudaMallocManaged((void**)nullptr, 64));
  SHOW(cudaMallocManaged((void**)&plane, 64, 99));
  SHOW(cudaMallocManaged((void**)&plane, 0));
  int answer = 0;
  SHOW(cudaMemRangeGetAttribute(&answer, sizeof answer, cudaMemRangeAttributeReadMostly, memory, 64));
  SHOW(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, memory, 64));

  SECTION("pools");
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  SHOW(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &answer));
  SHOW(cudaMemPoolSetAttribute(pool, (cudaMemPoolAttr)99, &answer));
  SHOW(cudaMemPoolSetAccess(pool, nullptr, 1));
  cudaMemAccessFlags access;
  SHOW(cudaMemPoolGetAccess(&access, pool, nullptr));
  SHOW(cudaMemPoolDestroy(pool));

  SECTION("streams and events");
  cudaStreamAttrValue value{};
  SHOW(cudaStreamGetAttribute(stream, (cudaStreamAttrID)99, &value));
  SHOW(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, nullptr));
  cudaStreamCaptureStatus status;
  SHOW(cudaStreamIsCapturing(stream, nullptr));
  SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 0));
  SHOW(cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)9));
  cudaGraph_t graph = nullptr;
  SHOW(cudaStreamEndCapture(stream, &graph));
  SHOW(cudaLaunchHostFunc(stream, nullptr, nullptr));
  SHOW(cudaEventRecordWithFlags(nullptr, stream, 0));
  int priority;
  SHOW(cudaStreamGetPriority(stream, nullptr));
  unsigned long long id;
  SHOW(cudaStreamGetId(stream, nullptr));
  (void)status, (void)priority, (void)id;

  SECTION("graphs");
  cudaGraphNode_t node = nullptr, other = nullptr;
  SHOW(cudaGraphCreate(nullptr, 0));
  SHOW(cudaGraphCreate(&graph, 1));
  SHOW(cudaGraphCreate(&graph, 0));
  SHOW(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  SHOW(cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0));
  SHOW(cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
  SHOW(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  SHOW(cudaGraphAddMemcpyNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddMemsetNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddHostNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddKernelNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddEventRecordNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddEventWaitNode(&other, graph, nullptr, 0, nullptr));
  SHOW(cudaGraphAddChildGraphNode(&other, graph, nullptr, 0, nullptr));
  cudaMemsetParams set;
  SHOW(cudaGraphMemsetNodeGetParams(node, &set));
  cudaMemcpy3DParms copy;
  SHOW(cudaGraphMemcpyNodeGetParams(node, &copy));
  cudaHostNodeParams call;
  SHOW(cudaGraphHostNodeGetParams(node, &call));
  cudaGraphNodeType type;
  SHOW(cudaGraphNodeGetType(node, nullptr));
  SHOW(cudaGraphNodeGetType(nullptr, &type));
  SHOW(cudaGraphGetRootNodes(nullptr, nullptr, nullptr));
  SHOW(cudaGraphDestroyNode(nullptr));
  SHOW(cudaGraphInstantiate((cudaGraphExec_t*)nullptr, graph, 0));
  SHOW(cudaGraphLaunch(nullptr, stream));
  SHOW(cudaGraphExecDestroy(nullptr));
  SHOW(cudaGraphDestroy(nullptr));

  SECTION("user objects");
  cudaUserObject_t object;
  SHOW(cudaUserObjectCreate(nullptr, memory, [](void*) {}, 1, cudaUserObjectNoDestructorSync));
  SHOW(cudaUserObjectCreate(&object, memory, nullptr, 1, cudaUserObjectNoDestructorSync));
  SHOW(cudaUserObjectCreate(&object, memory, [](void*) {}, 0, cudaUserObjectNoDestructorSync));
  SHOW(cudaUserObjectCreate(&object, memory, [](void*) {}, 1, 0));
  SHOW(cudaUserObjectRetain(nullptr, 1));
  SHOW(cudaUserObjectRelease(nullptr, 1));
  SHOW(cudaGraphRetainUserObject(nullptr, nullptr, 1, 0));

  SECTION("kernels and devices");
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, (const void*)not_a_kernel));
  SHOW(cudaFuncSetAttribute((const void*)kernel, (cudaFuncAttribute)99, 1));
  SHOW(cudaFuncSetAttribute((const void*)kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  size_t bytes;
  SHOW(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernel, 1, 32));
  SHOW(cudaDeviceGetAttribute(&answer, (cudaDeviceAttr)9999, 0));
  SHOW(cudaDeviceGetAttribute(&answer, cudaDevAttrWarpSize, 77));
  SHOW(cudaDeviceSetLimit((cudaLimit)99, 1));
  SHOW(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  SHOW(cudaDeviceGetLimit(&bytes, (cudaLimit)99));
  SHOW(cudaDeviceGetPCIBusId(nullptr, 16, 0));
  SHOW(cudaDeviceGetP2PAttribute(&answer, cudaDevP2PAttrPerformanceRank, 0, 5));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaSetDevice(64));
  SHOW(cudaSetDeviceFlags(0xff00));
  SHOW(cudaChooseDevice(nullptr, nullptr));
  void* entry = nullptr;
  cudaGetSymbolAddress(&entry, symbol);
  SHOW(cudaGetSymbolAddress(nullptr, symbol));
  SHOW(cudaGetSymbolSize(&bytes, (const void*)host));
  SHOW(cudaGetLastError());
  return 0;
}
