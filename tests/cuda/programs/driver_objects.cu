// The driver's arrays, textures, surfaces, graphs and captures: the results of calls, and their effect on kernels. One
// line per
// call: the name of the error; the expectation follows CUDA's manual.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define SHOW(call)                              \
  do {                                          \
    const char* name_ = "not an error";         \
    cuGetErrorName((call), &name_);             \
    std::printf("%s -> %s\n", #call, name_);    \
  } while (0)
#define VALUE(text) std::printf("%s = %lld\n", #text, (long long)(text))
#define SECTION(name) std::printf("[%s]\n", name)

__global__ void sample(CUtexObject texture, float step, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, step * threadIdx.x + step / 2, 0.5f);
}
__global__ void paint(CUsurfObject surface) { surf2Dwrite<float>(10.0f * threadIdx.x, surface, 4 * threadIdx.x, 0); }
__global__ void add(int* data, int value) { data[threadIdx.x] += value; }
__global__ void multiply(int* data, int value) { data[threadIdx.x] *= value; }

void CUDA_CB count(void* data) { ++*static_cast<int*>(data); }

void arrays() {
  SECTION("arrays");
  CUDA_ARRAY_DESCRIPTOR flat{4, 2, CU_AD_FORMAT_FLOAT, 2};
  CUarray array = nullptr;
  SHOW(cuArrayCreate(&array, &flat));
  CUDA_ARRAY_DESCRIPTOR told{};
  SHOW(cuArrayGetDescriptor(&told, array));
  VALUE(told.Width), VALUE(told.Height), VALUE(told.Format), VALUE(told.NumChannels);
  float in[4] = {1, 2, 3, 4}, out[4] = {};
  SHOW(cuMemcpyHtoA(array, 8, in, sizeof in));
  SHOW(cuMemcpyAtoH(out, array, 8, sizeof out));
  VALUE(std::memcmp(in, out, sizeof in));
  SHOW(cuArrayDestroy(array));

  CUDA_ARRAY3D_DESCRIPTOR layers{8, 0, 3, CU_AD_FORMAT_SIGNED_INT16, 4, CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST};
  SHOW(cuArray3DCreate(&array, &layers));
  CUDA_ARRAY3D_DESCRIPTOR told3{};
  SHOW(cuArray3DGetDescriptor(&told3, array));
  VALUE(told3.Width), VALUE(told3.Height), VALUE(told3.Depth), VALUE(told3.Format), VALUE(told3.NumChannels), VALUE(told3.Flags);
  SHOW(cuArrayDestroy(array));

  CUDA_ARRAY3D_DESCRIPTOR pyramid{16, 16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUmipmappedArray mipmapped = nullptr;
  SHOW(cuMipmappedArrayCreate(&mipmapped, &pyramid, 3));
  SHOW(cuMipmappedArrayGetLevel(&array, mipmapped, 2));
  SHOW(cuArrayGetDescriptor(&told, array));
  VALUE(told.Width), VALUE(told.Height);
  SHOW(cuMipmappedArrayGetLevel(&array, mipmapped, 3));
  SHOW(cuMipmappedArrayDestroy(mipmapped));

  flat.NumChannels = 3;
  SHOW(cuArrayCreate(&array, &flat));
  flat = {0, 0, CU_AD_FORMAT_FLOAT, 1};
  SHOW(cuArrayCreate(&array, &flat));
}

void show_samples(CUtexObject texture, float step, CUdeviceptr out) {
  float values[4] = {};
  sample<<<1, 4>>>(texture, step, reinterpret_cast<float*>(out));
  SHOW(cuMemcpyDtoH(values, out, sizeof values));
  std::printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);
}

void textures(CUdeviceptr memory) {
  SECTION("textures");
  CUDA_ARRAY3D_DESCRIPTOR bytes{4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0};
  CUarray array = nullptr;
  SHOW(cuArray3DCreate(&array, &bytes));
  unsigned char in[8] = {0, 51, 102, 255, 0, 51, 102, 255};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = in, copy.srcPitch = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = 4, copy.Height = 2;
  SHOW(cuMemcpy2D(&copy));

  // Bytes are fractions of one unless the flag says otherwise.
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how{};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.flags = CU_TRSF_NORMALIZED_COORDINATES;
  CUtexObject texture = 0;
  SHOW(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  show_samples(texture, 0.25f, memory);
  CUDA_TEXTURE_DESC told{};
  SHOW(cuTexObjectGetTextureDesc(&told, texture));
  VALUE(told.flags), VALUE(told.addressMode[0]), VALUE(told.filterMode);
  CUDA_RESOURCE_DESC from{};
  SHOW(cuTexObjectGetResourceDesc(&from, texture));
  VALUE(from.resType), VALUE(from.res.array.hArray == array);
  CUDA_RESOURCE_VIEW_DESC view{};
  SHOW(cuTexObjectGetResourceViewDesc(&view, texture));
  SHOW(cuTexObjectDestroy(texture));
  SHOW(cuArrayDestroy(array));

  // A surface writes what a texture of the same array reads.
  CUDA_ARRAY3D_DESCRIPTOR floats{4, 1, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  SHOW(cuArray3DCreate(&array, &floats));
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  SHOW(cuSurfObjectCreate(&surface, &resource));
  paint<<<1, 4>>>(surface);
  how.flags = 0;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  SHOW(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  show_samples(texture, 1.0f, memory);
  SHOW(cuSurfObjectGetResourceDesc(&from, surface));
  VALUE(from.res.array.hArray == array);
  SHOW(cuSurfObjectDestroy(surface));
  SHOW(cuTexObjectDestroy(texture));
  SHOW(cuArrayDestroy(array));

  float line[4] = {4, 3, 2, 1};
  CUdeviceptr pitched = memory + 512;
  SHOW(cuMemcpyHtoD(pitched, line, sizeof line));
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_PITCH2D;
  resource.res.pitch2D.devPtr = pitched;
  resource.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
  resource.res.pitch2D.numChannels = 1;
  resource.res.pitch2D.width = 4, resource.res.pitch2D.height = 1, resource.res.pitch2D.pitchInBytes = 32;
  SHOW(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  show_samples(texture, 1.0f, memory);
  SHOW(cuTexObjectGetResourceDesc(&from, texture));
  VALUE(from.res.pitch2D.width), VALUE(from.res.pitch2D.pitchInBytes), VALUE(from.res.pitch2D.format), VALUE(from.res.pitch2D.numChannels);
  SHOW(cuTexObjectDestroy(texture));
  how.flags = 0x100;
  SHOW(cuTexObjectCreate(&texture, &resource, &how, nullptr));
}

void graphs(CUdeviceptr memory) {
  SECTION("graphs");
  CUcontext context = nullptr;
  cuCtxGetCurrent(&context);
  CUfunction add_function = nullptr, multiply_function = nullptr;
  cudaGetFuncBySymbol(&add_function, reinterpret_cast<const void*>(add));
  cudaGetFuncBySymbol(&multiply_function, reinterpret_cast<const void*>(multiply));
  CUgraph graph = nullptr;
  SHOW(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS zero{memory, 0, 1, 4, 4, 1};
  CUgraphNode fill_node, add_node, multiply_node, copy_node, host_node;
  SHOW(cuGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &zero, context));
  int value = 4;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = add_function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.blockDimX = 4;
  kernel.kernelParams = arguments;
  SHOW(cuGraphAddKernelNode(&add_node, graph, &fill_node, 1, &kernel));
  kernel.func = multiply_function;
  SHOW(cuGraphAddKernelNode(&multiply_node, graph, &add_node, 1, &kernel));
  int out[4] = {}, calls = 0;
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = memory;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = out;
  copy.WidthInBytes = sizeof out, copy.Height = copy.Depth = 1;
  SHOW(cuGraphAddMemcpyNode(&copy_node, graph, &multiply_node, 1, &copy, context));
  CUDA_HOST_NODE_PARAMS host{count, &calls};
  SHOW(cuGraphAddHostNode(&host_node, graph, &copy_node, 1, &host));
  size_t number = 0;
  SHOW(cuGraphGetNodes(graph, nullptr, &number));
  VALUE(number);
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  SHOW(cuGraphNodeGetType(copy_node, &type));
  VALUE(type);
  CUDA_KERNEL_NODE_PARAMS told{};
  SHOW(cuGraphKernelNodeGetParams(multiply_node, &told));
  VALUE(told.func == multiply_function), VALUE(told.blockDimX), VALUE(*static_cast<int*>(told.kernelParams[1]));
  CUDA_MEMCPY3D copied{};
  SHOW(cuGraphMemcpyNodeGetParams(copy_node, &copied));
  VALUE(copied.dstHost == out), VALUE(copied.srcDevice == memory), VALUE(copied.WidthInBytes), VALUE(copied.srcMemoryType);
  CUDA_MEMSET_NODE_PARAMS filled{};
  SHOW(cuGraphMemsetNodeGetParams(fill_node, &filled));
  VALUE(filled.dst == memory), VALUE(filled.value), VALUE(filled.width);

  CUgraphExec exec = nullptr;
  CUstream stream = nullptr;
  cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  SHOW(cuGraphInstantiate(&exec, graph, 0));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  VALUE(out[0]), VALUE(out[3]), VALUE(calls);
  value = 7;
  SHOW(cuGraphExecKernelNodeSetParams(exec, multiply_node, &kernel));
  SHOW(cuGraphNodeSetEnabled(exec, add_node, 0));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  VALUE(out[0]), VALUE(calls);
  CUgraph clone = nullptr;
  SHOW(cuGraphClone(&clone, graph));
  CUgraphExecUpdateResultInfo info{};
  SHOW(cuGraphExecUpdate(exec, clone, &info));
  VALUE(info.result);
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphDestroy(clone));
  SHOW(cuGraphDestroy(graph));

  SECTION("any node");
  SHOW(cuGraphCreate(&graph, 0));
  CUgraphNodeParams node{};
  node.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  node.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  node.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  node.alloc.bytesize = 64;
  CUgraphNode allocation, fill, last;
#if CUDA_VERSION >= 13000
  auto add_any = [&](CUgraphNode* out, const CUgraphNode* before, size_t many) { return cuGraphAddNode(out, graph, before, nullptr, many, &node); };
#else
  auto add_any = [&](CUgraphNode* out, const CUgraphNode* before, size_t many) { return cuGraphAddNode(out, graph, before, many, &node); };
#endif
  SHOW(add_any(&allocation, nullptr, 0));
  CUdeviceptr inside = node.alloc.dptr;
  VALUE(inside != 0);
  node = {};
  node.type = CU_GRAPH_NODE_TYPE_MEMSET;
  node.memset = {inside, 0, 5, 4, 16, 1, context};
  SHOW(add_any(&fill, &allocation, 1));
  node = {};
  node.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  copy.srcDevice = inside;
  node.memcpy.copyCtx = context;
  node.memcpy.copyParams = copy;
  CUgraphNode read;
  SHOW(add_any(&read, &fill, 1));
  SHOW(cuGraphAddMemFreeNode(&last, graph, &read, 1, inside));
  SHOW(cuGraphInstantiate(&exec, graph, 0));
  SHOW(cuGraphLaunch(exec, stream));
  SHOW(cuStreamSynchronize(stream));
  VALUE(out[2]);
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphDestroy(graph));

  SECTION("capture");
  SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  SHOW(cuStreamIsCapturing(stream, &status));
  VALUE(status);
  SHOW(cuMemsetD32Async(memory, 2, 4, stream));
  void* doubled[] = {&memory, &value};
  SHOW(cuLaunchKernel(multiply_function, 1, 1, 1, 4, 1, 1, 0, stream, doubled, nullptr));
  SHOW(cuMemcpyDtoHAsync(out, memory, sizeof out, stream));
  SHOW(cuLaunchHostFunc(stream, count, &calls));
  SHOW(cuStreamEndCapture(stream, &graph));
  SHOW(cuGraphGetNodes(graph, nullptr, &number));
  VALUE(number);
  SHOW(cuGraphInstantiate(&exec, graph, 0));
  for (int time = 0; time < 3; ++time) cuGraphLaunch(exec, stream);
  SHOW(cuStreamSynchronize(stream));
  VALUE(out[0]), VALUE(calls);
  SHOW(cuStreamEndCapture(stream, &graph));
  SHOW(cuGraphExecDestroy(exec));
  SHOW(cuGraphCreate(nullptr, 0));
  SHOW(cuGraphCreate(&graph, 1));
  SHOW(cuStreamDestroy(stream));
}

int main() {
  cudaFree(nullptr);  // the runtime's context, in which the kernels of this file are
  cuInit(0);
  CUdeviceptr memory = 0;
  cuMemAlloc(&memory, 4096);
  arrays();
  textures(memory);
  graphs(memory);
  cuMemFree(memory);
}
