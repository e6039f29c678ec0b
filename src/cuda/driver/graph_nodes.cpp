// The nodes of graphs. The driver and the runtime describe nodes by different structures; the nodes are the same.
#include <cstring>

#include "cuda/driver/box.h"
#include "cuda/driver/stream_memory.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(cudaHostNodeParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(cudaMemAllocNodeParams));
static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams));
static_assert(sizeof(CUkernelNodeAttrValue) == sizeof(cudaLaunchAttributeValue));

namespace {

// --- the structures -----------------------------------------------------------------------------------------

// The versions of the structure differ in what follows `extra`.
template <class KernelParams>
cudaKernelNodeParams runtime_kernel(const KernelParams& p) {
  const void* function = p.func;
  if constexpr (requires { p.kern; })
    if (!function) function = p.kern;
  return {const_cast<void*>(function),
          {p.gridDimX, p.gridDimY, p.gridDimZ},
          {p.blockDimX, p.blockDimY, p.blockDimZ},
          p.sharedMemBytes,
          p.kernelParams,
          p.extra};
}

template <class KernelParams>
cudaError_t driver_kernel(const cudaKernelNodeParams& p, KernelParams* out) {
  *out = {};
  CUDA_TRY(cudaGetFuncBySymbol(&out->func, p.func));
  out->gridDimX = p.gridDim.x, out->gridDimY = p.gridDim.y, out->gridDimZ = p.gridDim.z;
  out->blockDimX = p.blockDim.x, out->blockDimY = p.blockDim.y, out->blockDimZ = p.blockDim.z;
  out->sharedMemBytes = p.sharedMemBytes;
  out->kernelParams = p.kernelParams;
  out->extra = p.extra;
  return cudaSuccess;
}

template <class MemsetParams>
cudaMemsetParams runtime_fill(const MemsetParams& p) {
  return {pointer_of(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}

cudaError_t runtime_copy(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms* out) {
  BoxRequest box = request_of(copy);
  if (box.empty()) return fail(cudaErrorInvalidValue, "a copy of nothing");
  return runtime_box(box, out);
}

cudaError_t check_given(const void* parameters) {
  return parameters ? cudaSuccess : fail(cudaErrorInvalidValue, "the parameters are null");
}

// Calls the runtime's function with the runtime's structure, converted from the driver's.
template <class Convert, class Params, class Use>
CUresult with(const char* function, Convert convert, const Params* parameters, Use&& use) {
  return forward(function, [&]() -> cudaError_t {
    CUDA_TRY(check_given(parameters));
    auto same = convert(*parameters);
    return use(&same);
  });
}
template <class Use>
CUresult with_copy(const char* function, const CUDA_MEMCPY3D* parameters, Use&& use) {
  return forward(function, [&]() -> cudaError_t {
    CUDA_TRY(check_given(parameters));
    cudaMemcpy3DParms same{};
    CUDA_TRY(runtime_copy(*parameters, &same));
    return use(&same);
  });
}

template <class KernelParams>
CUresult add_kernel(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                    const KernelParams* parameters) {
  return with("cuGraphAddKernelNode", runtime_kernel<KernelParams>, parameters,
              [&](auto* same) { return cudaGraphAddKernelNode(node, graph, dependencies, count, same); });
}
template <class KernelParams>
CUresult get_kernel(CUgraphNode node, KernelParams* parameters) {
  return call("cuGraphKernelNodeGetParams", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_out(parameters));
    cudaKernelNodeParams same{};
    CUDA_TRY(cudaGraphKernelNodeGetParams(node, &same));
    return driver_kernel(same, parameters);
  });
}
template <class KernelParams>
CUresult set_kernel(CUgraphNode node, const KernelParams* parameters) {
  return with("cuGraphKernelNodeSetParams", runtime_kernel<KernelParams>, parameters,
              [&](auto* same) { return cudaGraphKernelNodeSetParams(node, same); });
}
template <class KernelParams>
CUresult set_kernel_in(CUgraphExec exec, CUgraphNode node, const KernelParams* parameters) {
  return with("cuGraphExecKernelNodeSetParams", runtime_kernel<KernelParams>, parameters,
              [&](auto* same) { return cudaGraphExecKernelNodeSetParams(exec, node, same); });
}

}  // namespace

// --- kernels ----------------------------------------------------------------------------------------------------

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return add_kernel(node, graph, dependencies, count, parameters);
}
CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return add_kernel(node, graph, dependencies, count, parameters);
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return get_kernel(node, parameters);
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return get_kernel(node, parameters);
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return set_kernel(node, parameters);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_kernel(node, parameters);
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  return set_kernel_in(exec, node, parameters);
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_kernel_in(exec, node, parameters);
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute, CUkernelNodeAttrValue* value) {
  return call("cuGraphKernelNodeGetAttribute", Needs::Device, [&] {
    return cudaGraphKernelNodeGetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                           reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue* value) {
  return call("cuGraphKernelNodeSetAttribute", Needs::Device, [&] {
    return cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(attribute),
                                           reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}
// The driver names the destination first, the runtime second.
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return call("cuGraphKernelNodeCopyAttributes", Needs::Device,
              [&] { return cudaGraphKernelNodeCopyAttributes(from, to); });
}

// --- copies, fills, host functions --------------------------------------------------------------------------------

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMCPY3D* parameters, CUcontext) {
  return with_copy("cuGraphAddMemcpyNode", parameters,
                   [&](auto* same) { return cudaGraphAddMemcpyNode(node, graph, dependencies, count, same); });
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* parameters) {
  return call("cuGraphMemcpyNodeGetParams", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_out(parameters));
    cudaMemcpy3DParms same{};
    CUDA_TRY(cudaGraphMemcpyNodeGetParams(node, &same));
    return driver_box(same, parameters);
  });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  return with_copy("cuGraphMemcpyNodeSetParams", parameters,
                   [&](auto* same) { return cudaGraphMemcpyNodeSetParams(node, same); });
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* parameters,
                                        CUcontext) {
  return with_copy("cuGraphExecMemcpyNodeSetParams", parameters,
                   [&](auto* same) { return cudaGraphExecMemcpyNodeSetParams(exec, node, same); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return with("cuGraphAddMemsetNode", runtime_fill<CUDA_MEMSET_NODE_PARAMS>, parameters,
              [&](auto* same) { return cudaGraphAddMemsetNode(node, graph, dependencies, count, same); });
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return call("cuGraphMemsetNodeGetParams", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_out(parameters));
    cudaMemsetParams same{};
    CUDA_TRY(cudaGraphMemsetNodeGetParams(node, &same));
    *parameters = {address_of(same.dst), same.pitch, same.value, same.elementSize, same.width, same.height};
    return cudaSuccess;
  });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return with("cuGraphMemsetNodeSetParams", runtime_fill<CUDA_MEMSET_NODE_PARAMS>, parameters,
              [&](auto* same) { return cudaGraphMemsetNodeSetParams(node, same); });
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters,
                                        CUcontext) {
  return with("cuGraphExecMemsetNodeSetParams", runtime_fill<CUDA_MEMSET_NODE_PARAMS>, parameters,
              [&](auto* same) { return cudaGraphExecMemsetNodeSetParams(exec, node, same); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  return call("cuGraphAddHostNode", Needs::Device, [&] {
    return cudaGraphAddHostNode(node, graph, dependencies, count,
                                reinterpret_cast<const cudaHostNodeParams*>(parameters));
  });
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return call("cuGraphHostNodeGetParams", Needs::Device,
              [&] { return cudaGraphHostNodeGetParams(node, reinterpret_cast<cudaHostNodeParams*>(parameters)); });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return call("cuGraphHostNodeSetParams", Needs::Device, [&] {
    return cudaGraphHostNodeSetParams(node, reinterpret_cast<const cudaHostNodeParams*>(parameters));
  });
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return call("cuGraphExecHostNodeSetParams", Needs::Device, [&] {
    return cudaGraphExecHostNodeSetParams(exec, node, reinterpret_cast<const cudaHostNodeParams*>(parameters));
  });
}

// --- empty nodes, children ------------------------------------------------------------------------------------------

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count) {
  return call("cuGraphAddEmptyNode", Needs::Device,
              [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, count); });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                  CUgraph child) {
  return call("cuGraphAddChildGraphNode", Needs::Device,
              [&] { return cudaGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return call("cuGraphChildGraphNodeGetGraph", Needs::Device,
              [&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return call("cuGraphExecChildGraphNodeSetParams", Needs::Device,
              [&] { return cudaGraphExecChildGraphNodeSetParams(exec, node, child); });
}

// --- events
// -----------------------------------------------------------------------------------------------------------

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                   CUevent event) {
  return call("cuGraphAddEventRecordNode", Needs::Device,
              [&] { return cudaGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return call("cuGraphEventRecordNodeGetEvent", Needs::Device,
              [&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return call("cuGraphEventRecordNodeSetEvent", Needs::Device,
              [&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return call("cuGraphExecEventRecordNodeSetEvent", Needs::Device,
              [&] { return cudaGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                 CUevent event) {
  return call("cuGraphAddEventWaitNode", Needs::Device,
              [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return call("cuGraphEventWaitNodeGetEvent", Needs::Device,
              [&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return call("cuGraphEventWaitNodeSetEvent", Needs::Device,
              [&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return call("cuGraphExecEventWaitNodeSetEvent", Needs::Device,
              [&] { return cudaGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

// --- memory
// -----------------------------------------------------------------------------------------------------------

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call("cuGraphAddMemAllocNode", Needs::Device, [&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, count,
                                    reinterpret_cast<cudaMemAllocNodeParams*>(parameters));
  });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return call("cuGraphMemAllocNodeGetParams", Needs::Device, [&] {
    return cudaGraphMemAllocNodeGetParams(node, reinterpret_cast<cudaMemAllocNodeParams*>(parameters));
  });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                               CUdeviceptr address) {
  return call("cuGraphAddMemFreeNode", Needs::Device,
              [&] { return cudaGraphAddMemFreeNode(node, graph, dependencies, count, pointer_of(address)); });
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* address) {
  return call("cuGraphMemFreeNodeGetParams", Needs::Device,
              [&] { return cudaGraphMemFreeNodeGetParams(node, address); });
}

// --- any node
// ---------------------------------------------------------------------------------------------------------

namespace {

// Kernels, copies and fills have other structures; the members of the other types have the same layout.
CUDA_BATCH_MEM_OP_NODE_PARAMS values_of(const CUgraphNodeParams& node) {
  return {node.memOp.ctx, node.memOp.count, node.memOp.paramArray, node.memOp.flags};
}

cudaError_t runtime_node(const CUgraphNodeParams& node, cudaGraphNodeParams* out) {
  *out = {};
  switch (node.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      cudaKernelNodeParams kernel = runtime_kernel(node.kernel);
      out->kernel.func = kernel.func;
      out->kernel.gridDim = {kernel.gridDim.x, kernel.gridDim.y, kernel.gridDim.z};
      out->kernel.blockDim = {kernel.blockDim.x, kernel.blockDim.y, kernel.blockDim.z};
      out->kernel.sharedMemBytes = kernel.sharedMemBytes;
      out->kernel.kernelParams = kernel.kernelParams;
      out->kernel.extra = kernel.extra;
      break;
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      out->memcpy = {};
      CUDA_TRY(runtime_copy(node.memcpy.copyParams, &out->memcpy.copyParams));
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      out->memset = runtime_fill(node.memset);
      break;
    default:
      std::memcpy(out, &node, sizeof *out);
      break;
  }
  out->type = static_cast<cudaGraphNodeType>(node.type);
  return cudaSuccess;
}

// What creating a node returns: the address of an allocation, the bodies of a conditional, the copied child.
void return_outputs(const cudaGraphNodeParams& made, CUgraphNodeParams* node) {
  switch (node->type) {
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      node->alloc.dptr = address_of(made.alloc.dptr);
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      node->conditional.phGraph_out = made.conditional.phGraph_out;
      break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      node->graph.graph = made.graph.graph;
      break;
    default:
      break;
  }
}

CUresult add_any(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                 size_t count, CUgraphNodeParams* node) {
  return forward("cuGraphAddNode", [&]() -> cudaError_t {
    CUDA_TRY(check_given(node));
    if (node->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
      const CUDA_BATCH_MEM_OP_NODE_PARAMS values = values_of(*node);
      return add_values_node(out, graph, dependencies, edges, count, &values);
    }
    cudaGraphNodeParams same;
    CUDA_TRY(runtime_node(*node, &same));
    CUDA_TRY(
        cudaGraphAddNode_v2(out, graph, dependencies, reinterpret_cast<const cudaGraphEdgeData*>(edges), count, &same));
    return_outputs(same, node);
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuGraphAddNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                        CUgraphNodeParams* node) {
  return add_any(out, graph, dependencies, nullptr, count, node);
}
CUresult cuGraphAddNode_v2(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* node) {
  return add_any(out, graph, dependencies, edges, count, node);
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return call("cuGraphNodeSetParams", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_given(parameters));
    if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
      const CUDA_BATCH_MEM_OP_NODE_PARAMS values = values_of(*parameters);
      return set_values_node(node, &values);
    }
    cudaGraphNodeParams same;
    CUDA_TRY(runtime_node(*parameters, &same));
    return cudaGraphNodeSetParams(node, &same);
  });
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* parameters) {
  return call("cuGraphExecNodeSetParams", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_given(parameters));
    if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP) {
      const CUDA_BATCH_MEM_OP_NODE_PARAMS values = values_of(*parameters);
      return set_values_node_in(exec, node, &values);
    }
    cudaGraphNodeParams same;
    CUDA_TRY(runtime_node(*parameters, &same));
    return cudaGraphExecNodeSetParams(exec, node, &same);
  });
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext, unsigned value,
                                        unsigned flags) {
  return call("cuGraphConditionalHandleCreate", Needs::Device, [&]() -> cudaError_t {
    CUDA_TRY(check_out(handle));
    cudaGraphConditionalHandle made = 0;
    CUDA_TRY(cudaGraphConditionalHandleCreate(&made, graph, value, flags));
    *handle = made;
    return cudaSuccess;
  });
}
