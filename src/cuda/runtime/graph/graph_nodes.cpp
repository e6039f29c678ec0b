// Making nodes, and reading and changing what they do: one group of functions per node type.
#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/graph_call.h"
#include "cuda/runtime/graph/graph_exec.h"
#include "cuda/runtime/graph/graph_work.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// Adds the node that `params` describes.
cudaError_t add(Process& process, device::Device& gpu, cudaGraphNode_t* node, cudaGraph_t graph,
                const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges, size_t count, Work work) {
  (void)gpu;
  (void)process;
  return add_node(*graph, {dependencies, count}, edges, std::move(work), node);
}

cudaError_t check_add(Process& process, const void* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                      size_t count) {
  if (!node) return fail(cudaErrorInvalidValue, "the pointer for the node is null");
  if (count && !dependencies) return fail(cudaErrorInvalidValue, "the list of dependencies is null");
  return process.graphs.check(graph);
}

// `make` fills the work of a type.
template <class Kind, class Make>
cudaError_t add_made(const char* function, cudaGraphNode_t* node, cudaGraph_t graph,
                     const cudaGraphNode_t* dependencies, size_t count, Make&& make) {
  return graph_call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_add(process, node, graph, dependencies, count));
    Kind work;
    CUDA_TRY(make(process, gpu, work));
    return add(process, gpu, node, graph, dependencies, nullptr, count, std::move(work));
  });
}

cudaError_t check_event(Process& process, cudaEvent_t event) {
  CUevent_st found;
  return process.events.find(event, &found);
}

// The address of a variable of device code, `offset` bytes in.
cudaError_t address_in_symbol(const void* symbol, size_t count, size_t offset, void** out) {
  size_t size = 0;
  CUDA_TRY(cudaGetSymbolAddress(out, symbol));
  CUDA_TRY(cudaGetSymbolSize(&size, symbol));
  if (offset > size || count > size - offset)
    return fail(cudaErrorInvalidValue, "{} bytes from byte {} of a variable of {} bytes", count, offset, size);
  *out = static_cast<std::byte*>(*out) + offset;
  return cudaSuccess;
}

cudaError_t row_to_symbol(const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind,
                          cudaMemcpy3DParms* out) {
  void* dst = nullptr;
  CUDA_TRY(address_in_symbol(symbol, count, offset, &dst));
  return make_row_copy(dst, src, count, kind, out);
}

cudaError_t row_from_symbol(void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                            cudaMemcpy3DParms* out) {
  void* src = nullptr;
  CUDA_TRY(address_in_symbol(symbol, count, offset, &src));
  return make_row_copy(dst, src, count, kind, out);
}

// Replaces the work of a node of a graph, or of an executable graph's copy of it, by what `make` makes.
template <class Kind, class Make>
cudaError_t replace(const char* function, cudaGraphNode_t node, Make&& make) {
  return with_work<Kind>(function, node, [&](Process& process, device::Device& gpu, Kind& work) -> cudaError_t {
    Kind fresh = work;
    CUDA_TRY(make(process, gpu, fresh));
    work = std::move(fresh);
    return cudaSuccess;
  });
}

template <class Kind, class Make>
cudaError_t replace_in(const char* function, cudaGraphExec_t exec, cudaGraphNode_t node, Make&& make) {
  return graph_call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    GraphNode* copy = nullptr;
    CUDA_TRY(find_copy(process, exec, node, &copy));
    Kind* work = std::get_if<Kind>(&copy->work);
    if (!work) return fail(cudaErrorInvalidValue, "the node has another type");
    Kind fresh = *work;
    CUDA_TRY(make(process, gpu, fresh));
    *work = std::move(fresh);
    return cudaSuccess;
  });
}

auto kernel_maker(const cudaKernelNodeParams* params) {
  return [params](Process& process, device::Device& gpu, KernelWork& work) -> cudaError_t {
    CUDA_TRY(make_kernel(process, gpu, params, &work));
    for (auto& [attribute, value] : work.attributes) apply_attribute(work, attribute);
    return cudaSuccess;
  };
}
auto copy_maker(const cudaMemcpy3DParms* params) {
  return [params](Process&, device::Device&, CopyWork& work) { return make_copy(params, &work); };
}
// `describe` fills the parameters of a copy.
template <class Describe>
auto described_copy_maker(Describe describe) {
  return [describe](Process&, device::Device&, CopyWork& work) -> cudaError_t {
    cudaMemcpy3DParms params{};
    CUDA_TRY(describe(&params));
    return make_copy(&params, &work);
  };
}
auto fill_maker(const cudaMemsetParams* params) {
  return [params](Process& process, device::Device& gpu, FillWork& work) {
    return make_fill(process, gpu, params, &work);
  };
}
auto host_maker(const cudaHostNodeParams* params) {
  return [params](Process&, device::Device&, HostWork& work) -> cudaError_t {
    if (!params || !params->fn) return fail(cudaErrorInvalidValue, "the host function is null");
    work = {params->fn, params->userData, {}};
    return cudaSuccess;
  };
}
template <class Kind>
auto event_maker(cudaEvent_t event) {
  return [event](Process& process, device::Device&, Kind& work) -> cudaError_t {
    CUDA_TRY(check_event(process, event));
    work.event = event;
    return cudaSuccess;
  };
}

}  // namespace

// --- kernels ----------------------------------------------------------------------------------------------

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaKernelNodeParams* params) {
  return add_made<KernelWork>("cudaGraphAddKernelNode", node, graph, dependencies, count, kernel_maker(params));
}

// The node owns the arguments. They live until the node is destroyed or its parameters are set.
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* params) {
  return with_work<KernelWork>(
      "cudaGraphKernelNodeGetParams", node, [&](Process&, device::Device& gpu, KernelWork& work) -> cudaError_t {
        if (!params) return fail(cudaErrorInvalidValue, "the pointer for the parameters is null");
        const device::KernelInfo& info = gpu.kernel_info(work.command.kernel);
        work.pointers.clear();
        for (const auto& parameter : info.parameters)
          work.pointers.push_back(work.command.parameters.data() + parameter.offset);
        auto dims = [](const device::Dim3& d) { return dim3{d.x, d.y, d.z}; };
        *params = {const_cast<void*>(work.function),  dims(work.command.grid), dims(work.command.block),
                   work.command.dynamic_shared_bytes, work.pointers.data(),    nullptr};
        return cudaSuccess;
      });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* params) {
  return replace<KernelWork>("cudaGraphKernelNodeSetParams", node, kernel_maker(params));
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* params) {
  return replace_in<KernelWork>("cudaGraphExecKernelNodeSetParams", exec, node, kernel_maker(params));
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  return with_work<KernelWork>("cudaGraphKernelNodeGetAttribute", node,
                               [&](Process&, device::Device&, KernelWork& work) -> cudaError_t {
                                 if (!value) return fail(cudaErrorInvalidValue, "the pointer for the value is null");
                                 auto found = work.attributes.find(attribute);
                                 *value = found == work.attributes.end() ? cudaLaunchAttributeValue{} : found->second;
                                 return cudaSuccess;
                               });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  return with_work<KernelWork>("cudaGraphKernelNodeSetAttribute", node,
                               [&](Process&, device::Device&, KernelWork& work) -> cudaError_t {
                                 if (!value) return fail(cudaErrorInvalidValue, "the value is null");
                                 work.attributes[attribute] = *value;
                                 apply_attribute(work, attribute);
                                 return cudaSuccess;
                               });
}

// CUDA names the destination second.
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  return with_work<KernelWork>("cudaGraphKernelNodeCopyAttributes", to,
                               [&](Process& process, device::Device&, KernelWork& work) -> cudaError_t {
                                 CUDA_TRY(process.graphs.check(from));
                                 auto* source = std::get_if<KernelWork>(&from->work);
                                 if (!source) return fail(cudaErrorInvalidValue, "the source is not a kernel node");
                                 work.attributes = source->attributes;
                                 for (auto& [attribute, value] : work.attributes) apply_attribute(work, attribute);
                                 return cudaSuccess;
                               });
}

// --- copies -----------------------------------------------------------------------------------------------

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemcpy3DParms* params) {
  return add_made<CopyWork>("cudaGraphAddMemcpyNode", node, graph, dependencies, count, copy_maker(params));
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, void* dst, const void* src, size_t bytes, cudaMemcpyKind kind) {
  return add_made<CopyWork>("cudaGraphAddMemcpyNode1D", node, graph, dependencies, count,
                            described_copy_maker([=](auto* out) { return make_row_copy(dst, src, bytes, kind, out); }));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count, const void* symbol,
                                           const void* src, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return add_made<CopyWork>(
      "cudaGraphAddMemcpyNodeToSymbol", node, graph, dependencies, count,
      described_copy_maker([=](auto* out) { return row_to_symbol(symbol, src, bytes, offset, kind, out); }));
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count, void* dst,
                                             const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return add_made<CopyWork>(
      "cudaGraphAddMemcpyNodeFromSymbol", node, graph, dependencies, count,
      described_copy_maker([=](auto* out) { return row_from_symbol(dst, symbol, bytes, offset, kind, out); }));
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* params) {
  return with_work<CopyWork>("cudaGraphMemcpyNodeGetParams", node,
                             [&](Process&, device::Device&, CopyWork& work) -> cudaError_t {
                               if (!params)
                                 return fail(cudaErrorInvalidValue, "the pointer for the parameters is null");
                               *params = work.description;
                               return cudaSuccess;
                             });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* params) {
  return replace<CopyWork>("cudaGraphMemcpyNodeSetParams", node, copy_maker(params));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* dst, const void* src, size_t bytes,
                                           cudaMemcpyKind kind) {
  return replace<CopyWork>("cudaGraphMemcpyNodeSetParams1D", node,
                           described_copy_maker([=](auto* out) { return make_row_copy(dst, src, bytes, kind, out); }));
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* src,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return replace<CopyWork>("cudaGraphMemcpyNodeSetParamsToSymbol", node, described_copy_maker([=](auto* out) {
                             return row_to_symbol(symbol, src, bytes, offset, kind, out);
                           }));
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* dst, const void* symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind) {
  return replace<CopyWork>("cudaGraphMemcpyNodeSetParamsFromSymbol", node, described_copy_maker([=](auto* out) {
                             return row_from_symbol(dst, symbol, bytes, offset, kind, out);
                           }));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* params) {
  return replace_in<CopyWork>("cudaGraphExecMemcpyNodeSetParams", exec, node, copy_maker(params));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst, const void* src,
                                               size_t bytes, cudaMemcpyKind kind) {
  return replace_in<CopyWork>("cudaGraphExecMemcpyNodeSetParams1D", exec, node, described_copy_maker([=](auto* out) {
                                return make_row_copy(dst, src, bytes, kind, out);
                              }));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                                     const void* src, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return replace_in<CopyWork>(
      "cudaGraphExecMemcpyNodeSetParamsToSymbol", exec, node,
      described_copy_maker([=](auto* out) { return row_to_symbol(symbol, src, bytes, offset, kind, out); }));
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* dst,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  return replace_in<CopyWork>(
      "cudaGraphExecMemcpyNodeSetParamsFromSymbol", exec, node,
      described_copy_maker([=](auto* out) { return row_from_symbol(dst, symbol, bytes, offset, kind, out); }));
}

// --- fills, host functions ----------------------------------------------------------------------------------

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                   size_t count, const cudaMemsetParams* params) {
  return add_made<FillWork>("cudaGraphAddMemsetNode", node, graph, dependencies, count, fill_maker(params));
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* params) {
  return with_work<FillWork>("cudaGraphMemsetNodeGetParams", node,
                             [&](Process&, device::Device&, FillWork& work) -> cudaError_t {
                               if (!params)
                                 return fail(cudaErrorInvalidValue, "the pointer for the parameters is null");
                               *params = work.description;
                               return cudaSuccess;
                             });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* params) {
  return replace<FillWork>("cudaGraphMemsetNodeSetParams", node, fill_maker(params));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* params) {
  return replace_in<FillWork>("cudaGraphExecMemsetNodeSetParams", exec, node, fill_maker(params));
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                 size_t count, const cudaHostNodeParams* params) {
  return add_made<HostWork>("cudaGraphAddHostNode", node, graph, dependencies, count, host_maker(params));
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* params) {
  return with_work<HostWork>("cudaGraphHostNodeGetParams", node,
                             [&](Process&, device::Device&, HostWork& work) -> cudaError_t {
                               if (!params)
                                 return fail(cudaErrorInvalidValue, "the pointer for the parameters is null");
                               *params = {work.function, work.data};
                               return cudaSuccess;
                             });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* params) {
  return replace<HostWork>("cudaGraphHostNodeSetParams", node, host_maker(params));
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* params) {
  return replace_in<HostWork>("cudaGraphExecHostNodeSetParams", exec, node, host_maker(params));
}

// --- empty nodes, children --------------------------------------------------------------------------------------

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                  size_t count) {
  return add_made<EmptyWork>("cudaGraphAddEmptyNode", node, graph, dependencies, count,
                             [](Process&, device::Device&, EmptyWork&) { return cudaSuccess; });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       size_t count, cudaGraph_t child) {
  return add_made<ChildWork>("cudaGraphAddChildGraphNode", node, graph, dependencies, count,
                             [&](Process& process, device::Device&, ChildWork& work) -> cudaError_t {
                               CUDA_TRY(process.graphs.check(child));
                               work.graph = copy_graph(*child);
                               return cudaSuccess;
                             });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return with_work<ChildWork>("cudaGraphChildGraphNodeGetGraph", node,
                              [&](Process&, device::Device&, ChildWork& work) -> cudaError_t {
                                if (!graph) return fail(cudaErrorInvalidValue, "the pointer for the graph is null");
                                *graph = work.graph.get();
                                return cudaSuccess;
                              });
}

// --- events ---------------------------------------------------------------------------------------------------

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                        size_t count, cudaEvent_t event) {
  return add_made<RecordWork>("cudaGraphAddEventRecordNode", node, graph, dependencies, count,
                              event_maker<RecordWork>(event));
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                      size_t count, cudaEvent_t event) {
  return add_made<WaitWork>("cudaGraphAddEventWaitNode", node, graph, dependencies, count,
                            event_maker<WaitWork>(event));
}

namespace {

template <class Kind>
cudaError_t get_event(const char* function, cudaGraphNode_t node, cudaEvent_t* event) {
  return with_work<Kind>(function, node, [&](Process&, device::Device&, Kind& work) -> cudaError_t {
    if (!event) return fail(cudaErrorInvalidValue, "the pointer for the event is null");
    *event = work.event;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<RecordWork>("cudaGraphEventRecordNodeGetEvent", node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return get_event<WaitWork>("cudaGraphEventWaitNodeGetEvent", node, event);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replace<RecordWork>("cudaGraphEventRecordNodeSetEvent", node, event_maker<RecordWork>(event));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return replace<WaitWork>("cudaGraphEventWaitNodeSetEvent", node, event_maker<WaitWork>(event));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return replace_in<RecordWork>("cudaGraphExecEventRecordNodeSetEvent", exec, node, event_maker<RecordWork>(event));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return replace_in<WaitWork>("cudaGraphExecEventWaitNodeSetEvent", exec, node, event_maker<WaitWork>(event));
}

// --- any node -------------------------------------------------------------------------------------------------

namespace {

cudaError_t add_any(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                    const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* params) {
  return graph_call("cudaGraphAddNode", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(check_add(process, node, graph, dependencies, count));
    if (!params) return fail(cudaErrorInvalidValue, "the parameters are null");
    Work work;
    CUDA_TRY(make_work(process, gpu, *graph, *params, &work));
    CUDA_TRY(add(process, gpu, node, graph, dependencies, edges, count, std::move(work)));
    if (auto* conditional = std::get_if<ConditionalWork>(&(*node)->work))
      params->conditional.phGraph_out = conditional->handles.data();
    if (auto* child = std::get_if<ChildWork>(&(*node)->work)) params->graph.graph = child->graph.get();
    return cudaSuccess;
  });
}

cudaError_t replace_any(Process& process, device::Device& gpu, GraphNode& node, cudaGraphNodeParams* params) {
  if (!params || params->type != type_of(node.work))
    return fail(cudaErrorInvalidValue, "the parameters are null or of another type of node");
  switch (params->type) {
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
    case cudaGraphNodeTypeConditional:
      return fail(cudaErrorNotSupported, "such a node cannot be changed once it is made");
    default:
      break;
  }
  Work work;
  CUDA_TRY(make_work(process, gpu, *node.graph, *params, &work));
  if (auto *fresh = std::get_if<KernelWork>(&work), *old = std::get_if<KernelWork>(&node.work); fresh) {
    fresh->attributes = old->attributes;
    for (auto& [attribute, value] : old->attributes) apply_attribute(*fresh, attribute);
  }
  node.work = std::move(work);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphAddNode_cuda13(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* params) {
  return add_any(node, graph, dependencies, edges, count, params);
}
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                const cudaGraphEdgeData* edges, size_t count, cudaGraphNodeParams* params) {
  return add_any(node, graph, dependencies, edges, count, params);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             size_t count, cudaGraphNodeParams* params) {
  return add_any(node, graph, dependencies, nullptr, count, params);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return graph_call("cudaGraphNodeSetParams", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(process.graphs.check(node));
    return replace_any(process, gpu, *node, params);
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* params) {
  return graph_call("cudaGraphExecNodeSetParams", [&](Process& process, device::Device& gpu) -> cudaError_t {
    GraphNode* copy = nullptr;
    CUDA_TRY(find_copy(process, exec, node, &copy));
    return replace_any(process, gpu, *copy, params);
  });
}

// --- conditions -----------------------------------------------------------------------------------------------

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  return graph_call("cudaGraphConditionalHandleCreate", [&](Process& process, device::Device& gpu) -> cudaError_t {
    constexpr unsigned kAssignDefault = 1;
    if (!handle) return fail(cudaErrorInvalidValue, "the pointer for the handle is null");
    if (flags & ~kAssignDefault) return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    CUDA_TRY(process.graphs.check(graph));
    device::Address address = 0;  // the device reads it between nodes, kernels write it: managed
    CUDA_TRY(fail(gpu.allocate(sizeof(unsigned), device::MemoryKind::Managed, &address)));
    std::memset(reinterpret_cast<void*>(address), 0, sizeof(unsigned));
    std::shared_ptr<void> memory(nullptr, [address](void*) {
      if (device::Device* gpu = Process::instance().opened_device()) (void)gpu->free(address);
    });
    graph->conditions.push_back({address, value, (flags & kAssignDefault) != 0, std::move(memory)});
    *handle = address;
    return cudaSuccess;
  });
}
