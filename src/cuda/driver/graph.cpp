// Graphs as wholes, and executable ones: the runtime's, under the driver's names. Nodes are in graph_nodes.cpp.
#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams));
static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo));

namespace {

const cudaGraphEdgeData* runtime_edges(const CUgraphEdgeData* edges) {
  return reinterpret_cast<const cudaGraphEdgeData*>(edges);
}
cudaGraphEdgeData* runtime_edges(CUgraphEdgeData* edges) { return reinterpret_cast<cudaGraphEdgeData*>(edges); }

}  // namespace

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  return call("cuGraphCreate", Needs::Device, [&] { return cudaGraphCreate(graph, flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return call("cuGraphDestroy", Needs::Device, [&] { return cudaGraphDestroy(graph); });
}
CUresult cuGraphClone(CUgraph* clone, CUgraph original) {
  return call("cuGraphClone", Needs::Device, [&] { return cudaGraphClone(clone, original); });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return call("cuGraphNodeFindInClone", Needs::Device, [&] { return cudaGraphNodeFindInClone(node, original, clone); });
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  return call("cuGraphNodeGetType", Needs::Device,
              [&] { return cudaGraphNodeGetType(node, reinterpret_cast<cudaGraphNodeType*>(type)); });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return call("cuGraphDestroyNode", Needs::Device, [&] { return cudaGraphDestroyNode(node); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned flags) {
  return call("cuGraphDebugDotPrint", Needs::Device, [&] { return cudaGraphDebugDotPrint(graph, path, flags); });
}

// --- nodes and edges ------------------------------------------------------------------------------------

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call("cuGraphGetNodes", Needs::Device, [&] { return cudaGraphGetNodes(graph, nodes, count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  return call("cuGraphGetRootNodes", Needs::Device, [&] { return cudaGraphGetRootNodes(graph, nodes, count); });
}
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return call("cuGraphGetEdges", Needs::Device, [&] { return cudaGraphGetEdges(graph, from, to, count); });
}
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, size_t* count) {
  return call("cuGraphGetEdges", Needs::Device,
              [&] { return cudaGraphGetEdges_v2(graph, from, to, runtime_edges(edges), count); });
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return call("cuGraphNodeGetDependencies", Needs::Device,
              [&] { return cudaGraphNodeGetDependencies(node, dependencies, count); });
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies, CUgraphEdgeData* edges,
                                       size_t* count) {
  return call("cuGraphNodeGetDependencies", Needs::Device,
              [&] { return cudaGraphNodeGetDependencies_v2(node, dependencies, runtime_edges(edges), count); });
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count) {
  return call("cuGraphNodeGetDependentNodes", Needs::Device,
              [&] { return cudaGraphNodeGetDependentNodes(node, dependents, count); });
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependents, CUgraphEdgeData* edges,
                                         size_t* count) {
  return call("cuGraphNodeGetDependentNodes", Needs::Device,
              [&] { return cudaGraphNodeGetDependentNodes_v2(node, dependents, runtime_edges(edges), count); });
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return call("cuGraphAddDependencies", Needs::Device,
              [&] { return cudaGraphAddDependencies(graph, from, to, count); });
}
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edges, size_t count) {
  return call("cuGraphAddDependencies", Needs::Device,
              [&] { return cudaGraphAddDependencies_v2(graph, from, to, runtime_edges(edges), count); });
}
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to, size_t count) {
  return call("cuGraphRemoveDependencies", Needs::Device,
              [&] { return cudaGraphRemoveDependencies(graph, from, to, count); });
}
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edges, size_t count) {
  return call("cuGraphRemoveDependencies", Needs::Device,
              [&] { return cudaGraphRemoveDependencies_v2(graph, from, to, runtime_edges(edges), count); });
}

// --- what lives as long as a graph, and its memory --------------------------------------------------------

CUresult cuUserObjectCreate(CUuserObject* object, void* pointer, CUhostFn destroy, unsigned references,
                            unsigned flags) {
  return call("cuUserObjectCreate", Needs::Device,
              [&] { return cudaUserObjectCreate(object, pointer, destroy, references, flags); });
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return call("cuUserObjectRetain", Needs::Device, [&] { return cudaUserObjectRetain(object, count); });
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return call("cuUserObjectRelease", Needs::Device, [&] { return cudaUserObjectRelease(object, count); });
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return call("cuGraphRetainUserObject", Needs::Device,
              [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return call("cuGraphReleaseUserObject", Needs::Device,
              [&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return call("cuDeviceGraphMemTrim", Needs::Init, [&] { return cudaDeviceGraphMemTrim(device); });
}
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return call("cuDeviceGetGraphMemAttribute", Needs::Init, [&] {
    return cudaDeviceGetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attribute, void* value) {
  return call("cuDeviceSetGraphMemAttribute", Needs::Init, [&] {
    return cudaDeviceSetGraphMemAttribute(device, static_cast<cudaGraphMemAttributeType>(attribute), value);
  });
}

// --- executable graphs ------------------------------------------------------------------------------------

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return call("cuGraphInstantiate", Needs::Device, [&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  return call("cuGraphInstantiateWithParams", Needs::Device, [&] {
    return cudaGraphInstantiateWithParams(exec, graph, reinterpret_cast<cudaGraphInstantiateParams*>(parameters));
  });
}
// CUDA 11's forms, which return the failing node and write a text about it.
CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* failing, char* log, size_t log_bytes) {
  return call("cuGraphInstantiate", Needs::Device, [&]() -> cudaError_t {
    cudaGraphInstantiateParams parameters{};
    cudaError_t error = cudaGraphInstantiateWithParams(exec, graph, &parameters);
    if (failing) *failing = parameters.errNode_out;
    if (log && log_bytes) *log = '\0';
    return error;
  });
}
CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, CUgraphNode* failing, char* log, size_t log_bytes) {
  return cuGraphInstantiate_v2(exec, graph, failing, log, log_bytes);
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return call("cuGraphExecGetFlags", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_out(flags));
    unsigned long long found = 0;
    CUDA_TRY(cudaGraphExecGetFlags(exec, &found));
    *flags = found;
    return cudaSuccess;
  });
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return call("cuGraphUpload", Needs::Device, [&] { return cudaGraphUpload(exec, stream); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return call("cuGraphLaunch", Needs::Device, [&] { return cudaGraphLaunch(exec, stream); });
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return call("cuGraphExecDestroy", Needs::Device, [&] { return cudaGraphExecDestroy(exec); });
}
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return call("cuGraphExecUpdate", Needs::Device,
              [&] { return cudaGraphExecUpdate(exec, graph, reinterpret_cast<cudaGraphExecUpdateResultInfo*>(info)); });
}
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* failing, CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info{};
  CUresult error = cuGraphExecUpdate_v2(exec, graph, &info);
  if (failing) *failing = info.errorNode;
  if (result) *result = info.result;
  return error;
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return call("cuGraphNodeSetEnabled", Needs::Device, [&] { return cudaGraphNodeSetEnabled(exec, node, enabled); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
  return call("cuGraphNodeGetEnabled", Needs::Device, [&] { return cudaGraphNodeGetEnabled(exec, node, enabled); });
}
