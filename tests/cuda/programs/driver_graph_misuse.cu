// Wrong calls of the driver's graph functions: nodes of another kind, impossible edges, executables that do not fit. As
// for driver_misuse.cu,
// documented_errors_test.cpp compares the codes with the manual's lists.
#include <cuda.h>

#include <cstdio>

#define SHOW(call)                              \
  do {                                          \
    const char* name_ = "not an error";         \
    cuGetErrorName((call), &name_);             \
    std::printf("%s -> %s\n", #call, name_);    \
  } while (0)

// Where CUDA 13 has one argument more.
#if CUDA_VERSION >= 13000
#define EDGES nullptr,
#else
#define EDGES
#endif

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

CUcontext context;
CUdeviceptr memory;
CUfunction kernel;

struct Nodes {
  CUgraph graph;
  CUgraphNode empty, kernel, copy, fill, host, record, child;
};
void nothing(void*) {}

CUDA_KERNEL_NODE_PARAMS kernel_parameters(void** arguments) {
  CUDA_KERNEL_NODE_PARAMS launch = {};
  launch.func = kernel;
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = arguments;
  return launch;
}
CUDA_MEMCPY3D copy_parameters() {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.dstDevice = memory + 64;
  copy.WidthInBytes = 16;
  copy.Height = copy.Depth = 1;
  return copy;
}
CUDA_MEMSET_NODE_PARAMS fill_parameters() {
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = memory;
  fill.elementSize = 4;
  fill.width = 4;
  fill.height = 1;
  return fill;
}

// A node of each kind; the arguments of the kernel must outlive it.
Nodes make(void** arguments, CUevent event, CUgraph inner) {
  Nodes nodes;
  CUDA_KERNEL_NODE_PARAMS launch = kernel_parameters(arguments);
  CUDA_MEMCPY3D copy = copy_parameters();
  CUDA_MEMSET_NODE_PARAMS fill = fill_parameters();
  CUDA_HOST_NODE_PARAMS host = {nothing, nullptr};
  cuGraphCreate(&nodes.graph, 0);
  cuGraphAddEmptyNode(&nodes.empty, nodes.graph, nullptr, 0);
  cuGraphAddKernelNode(&nodes.kernel, nodes.graph, &nodes.empty, 1, &launch);
  cuGraphAddMemcpyNode(&nodes.copy, nodes.graph, &nodes.kernel, 1, &copy, context);
  cuGraphAddMemsetNode(&nodes.fill, nodes.graph, nullptr, 0, &fill, context);
  cuGraphAddHostNode(&nodes.host, nodes.graph, nullptr, 0, &host);
  cuGraphAddEventRecordNode(&nodes.record, nodes.graph, nullptr, 0, event);
  cuGraphAddChildGraphNode(&nodes.child, nodes.graph, nullptr, 0, inner);
  return nodes;
}

void edges(const Nodes& n) {
  CUgraphNode none = wrong<CUgraphNode>(), list[8];
  size_t count = 8;
  SHOW(cuGraphAddDependencies(wrong<CUgraph>(), &n.empty, &n.host, EDGES 1));
  SHOW(cuGraphAddDependencies(n.graph, nullptr, &n.host, EDGES 1));
  SHOW(cuGraphAddDependencies(n.graph, &n.empty, &none, EDGES 1));
  SHOW(cuGraphAddDependencies(n.graph, &n.empty, &n.empty, EDGES 1));   // itself
  CUgraphExec exec;
  SHOW(cuGraphAddDependencies(n.graph, &n.kernel, &n.empty, EDGES 1));  // a cycle, which only the instantiation rejects
  SHOW(cuGraphInstantiate(&exec, n.graph, 0));
  SHOW(cuGraphRemoveDependencies(n.graph, &n.kernel, &n.empty, EDGES 1));
  SHOW(cuGraphAddDependencies(n.graph, &n.empty, &n.kernel, EDGES 1));  // there already
  SHOW(cuGraphRemoveDependencies(n.graph, &n.host, &n.empty, EDGES 1));  // not there
  SHOW(cuGraphRemoveDependencies(n.graph, nullptr, &n.empty, EDGES 1));
  SHOW(cuGraphGetEdges(wrong<CUgraph>(), nullptr, nullptr, EDGES &count));
  SHOW(cuGraphGetEdges(n.graph, nullptr, nullptr, EDGES nullptr));
  SHOW(cuGraphGetEdges(n.graph, list, nullptr, EDGES &count));
  SHOW(cuGraphNodeGetDependencies(none, nullptr, EDGES &count));
  SHOW(cuGraphNodeGetDependencies(n.kernel, nullptr, EDGES nullptr));
  SHOW(cuGraphNodeGetDependentNodes(none, nullptr, EDGES &count));
  SHOW(cuGraphNodeGetDependentNodes(n.kernel, nullptr, EDGES nullptr));
}

void nodes_of_another_kind(const Nodes& n, CUevent event, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS launch = kernel_parameters(arguments);
  CUDA_MEMCPY3D copy = copy_parameters();
  CUDA_MEMSET_NODE_PARAMS fill = fill_parameters();
  CUDA_HOST_NODE_PARAMS host = {nothing, nullptr};
  CUgraphNode node;
  CUevent found;
  CUgraphNode none = wrong<CUgraphNode>();
  SHOW(cuGraphKernelNodeGetParams(n.copy, &launch));
  SHOW(cuGraphKernelNodeGetParams(n.kernel, nullptr));
  SHOW(cuGraphKernelNodeSetParams(n.copy, &launch));
  SHOW(cuGraphKernelNodeSetParams(n.kernel, nullptr));
  SHOW(cuGraphMemcpyNodeGetParams(n.kernel, &copy));
  SHOW(cuGraphMemcpyNodeSetParams(n.kernel, &copy));
  SHOW(cuGraphMemcpyNodeSetParams(n.copy, nullptr));
  SHOW(cuGraphMemsetNodeSetParams(n.kernel, &fill));
  SHOW(cuGraphMemsetNodeSetParams(n.fill, nullptr));
  SHOW(cuGraphHostNodeSetParams(n.kernel, &host));
  SHOW(cuGraphHostNodeSetParams(n.host, nullptr));
  SHOW(cuGraphEventRecordNodeGetEvent(n.host, &found));
  SHOW(cuGraphEventRecordNodeSetEvent(n.host, event));
  SHOW(cuGraphEventRecordNodeSetEvent(n.record, wrong<CUevent>()));
  SHOW(cuGraphEventWaitNodeGetEvent(n.record, &found));
  SHOW(cuGraphEventWaitNodeSetEvent(n.record, event));
  SHOW(cuGraphAddEventWaitNode(&node, n.graph, nullptr, 0, wrong<CUevent>()));
  SHOW(cuGraphAddEventWaitNode(nullptr, n.graph, nullptr, 0, event));
  SHOW(cuGraphNodeGetType(none, nullptr));

  launch.gridDimX = 0;
  SHOW(cuGraphAddKernelNode(&node, n.graph, nullptr, 0, &launch));
  launch.gridDimX = 1;
  launch.blockDimX = 2048;
  SHOW(cuGraphAddKernelNode(&node, n.graph, nullptr, 0, &launch));
  SHOW(cuGraphAddKernelNode(&node, n.graph, nullptr, 0, nullptr));
  launch.blockDimX = 1;
  launch.func = nullptr;
  SHOW(cuGraphAddKernelNode(&node, n.graph, nullptr, 0, &launch));
  SHOW(cuGraphAddKernelNode(&node, wrong<CUgraph>(), nullptr, 0, &launch));
  fill.elementSize = 3;
  SHOW(cuGraphAddMemsetNode(&node, n.graph, nullptr, 0, &fill, context));
}

void memory_nodes(const Nodes& n) {
  CUgraphNode node;
  CUDA_MEM_ALLOC_NODE_PARAMS allocation = {};
  CUdeviceptr address;
  cuuint64_t bytes;
  SHOW(cuGraphAddMemAllocNode(&node, n.graph, nullptr, 0, nullptr));
  SHOW(cuGraphAddMemAllocNode(&node, wrong<CUgraph>(), nullptr, 0, &allocation));
  SHOW(cuGraphAddMemAllocNode(&node, n.graph, nullptr, 0, &allocation));  // of no type
  SHOW(cuGraphMemAllocNodeGetParams(n.kernel, &allocation));
  SHOW(cuGraphAddMemFreeNode(&node, n.graph, nullptr, 0, 12345));
  SHOW(cuGraphMemFreeNodeGetParams(n.kernel, &address));
  SHOW(cuDeviceGraphMemTrim(1000));
  SHOW(cuDeviceGetGraphMemAttribute(1000, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
  SHOW(cuDeviceGetGraphMemAttribute(0, (CUgraphMem_attribute)1000, &bytes));
  SHOW(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));  // read-only
}

void executables(const Nodes& n, CUevent event, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS launch = kernel_parameters(arguments);
  CUDA_MEMCPY3D copy = copy_parameters();
  CUDA_MEMSET_NODE_PARAMS fill = fill_parameters();
  CUDA_HOST_NODE_PARAMS host = {nothing, nullptr};
  CUgraphExec exec, none = wrong<CUgraphExec>();
  CUgraphExecUpdateResultInfo result;
  CUgraph smaller;
  CUgraphNode node;
  cuuint64_t flags;
  SHOW(cuGraphInstantiate(nullptr, n.graph, 0));
  SHOW(cuGraphInstantiate(&exec, wrong<CUgraph>(), 0));
  SHOW(cuGraphInstantiate(&exec, n.graph, 0xff00));
  SHOW(cuGraphInstantiateWithParams(&exec, n.graph, nullptr));
  SHOW(cuGraphInstantiate(&exec, n.graph, 0));
  SHOW(cuGraphExecGetFlags(none, &flags));
  SHOW(cuGraphExecGetFlags(exec, nullptr));
  SHOW(cuGraphExecKernelNodeSetParams(none, n.kernel, &launch));
  SHOW(cuGraphExecKernelNodeSetParams(exec, n.copy, &launch));
  SHOW(cuGraphExecKernelNodeSetParams(exec, n.kernel, nullptr));
  SHOW(cuGraphExecMemcpyNodeSetParams(exec, n.kernel, &copy, context));
  SHOW(cuGraphExecMemcpyNodeSetParams(exec, n.copy, nullptr, context));
  SHOW(cuGraphExecMemsetNodeSetParams(exec, n.kernel, &fill, context));
  SHOW(cuGraphExecHostNodeSetParams(exec, n.kernel, &host));
  SHOW(cuGraphExecChildGraphNodeSetParams(exec, n.kernel, n.graph));
  SHOW(cuGraphExecChildGraphNodeSetParams(exec, n.child, wrong<CUgraph>()));
  SHOW(cuGraphExecEventRecordNodeSetEvent(exec, n.kernel, event));
  SHOW(cuGraphExecEventWaitNodeSetEvent(exec, n.record, event));
  SHOW(cuGraphNodeSetEnabled(exec, n.host, 0));  // only kernels, copies and fills
  SHOW(cuGraphNodeSetEnabled(none, n.kernel, 0));
  SHOW(cuGraphExecUpdate(none, n.graph, &result));
  SHOW(cuGraphExecUpdate(exec, wrong<CUgraph>(), &result));
  cuGraphCreate(&smaller, 0);
  cuGraphAddEmptyNode(&node, smaller, nullptr, 0);
  SHOW(cuGraphExecUpdate(exec, smaller, &result));
  cuGraphDestroy(smaller);
  cuGraphExecDestroy(exec);
}

void attributes_and_objects(const Nodes& n) {
  CUkernelNodeAttrValue value = {};
  CUuserObject object;
  CUgraphNode node;
  SHOW(cuGraphKernelNodeGetAttribute(n.copy, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  SHOW(cuGraphKernelNodeGetAttribute(n.kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr));
  SHOW(cuGraphKernelNodeSetAttribute(n.copy, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  SHOW(cuGraphKernelNodeSetAttribute(n.kernel, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr));
  SHOW(cuGraphKernelNodeCopyAttributes(n.kernel, n.copy));
  cuUserObjectCreate(&object, nullptr, nothing, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  SHOW(cuUserObjectRelease(object, 0));
  SHOW(cuGraphReleaseUserObject(n.graph, object, 1));  // the graph holds none
  SHOW(cuGraphReleaseUserObject(wrong<CUgraph>(), object, 1));
  SHOW(cuUserObjectRelease(nullptr, 1));
  cuUserObjectRelease(object, 1);
  CUgraphNodeParams parameters = {};
  parameters.type = (CUgraphNodeType)1000;
  SHOW(cuGraphAddNode(&node, n.graph, nullptr, EDGES 0, nullptr));
  SHOW(cuGraphAddNode(&node, n.graph, nullptr, EDGES 0, &parameters));
  SHOW(cuGraphNodeSetParams(n.kernel, nullptr));
  SHOW(cuGraphNodeSetParams(n.kernel, &parameters));
  SHOW(cuGraphExecNodeSetParams(wrong<CUgraphExec>(), n.kernel, &parameters));
}

int main() {
  CUdevice device;
  CUmodule module;
  CUevent event;
  CUgraph inner;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  cuMemAlloc(&memory, 4096);
  cuModuleLoadData(&module, kModule);
  cuModuleGetFunction(&kernel, module, "kernel");
  cuEventCreate(&event, 0);
  cuGraphCreate(&inner, 0);
  void* arguments[] = {&memory};
  const Nodes nodes = make(arguments, event, inner);
  edges(nodes);
  nodes_of_another_kind(nodes, event, arguments);
  memory_nodes(nodes);
  executables(nodes, event, arguments);
  attributes_and_objects(nodes);
  std::printf("%s\n", cuCtxSynchronize() == CUDA_SUCCESS ? "nothing is wrong afterwards" : "something is wrong afterwards");
}
