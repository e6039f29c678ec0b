// Executable graphs: instantiating, launching, updating and destroying them.
#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/graph_call.h"
#include "cuda/runtime/graph/graph_exec.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t instantiate(const char* function, cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags,
                        cudaGraphInstantiateParams* params = nullptr) {
  return graph_call(function, [&](Process& process, device::Device&) -> cudaError_t {
    if (!exec) return fail(cudaErrorInvalidValue, "the place for the executable graph is null");
    CUDA_TRY(process.graphs.check(graph));
    cudaGraphInstantiateResult result;
    GraphNode* failing = nullptr;
    cudaError_t error = cuda::instantiate(process, *graph, flags, &result, &failing, exec);
    if (params) {
      params->result_out = result;
      params->errNode_out = failing;
    }
    return error;
  });
}

}  // namespace

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags);
}

// CUDA 11's function had a node and a text in place of the flags. Programs compiled for CUDA 12 pass flags.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate("cudaGraphInstantiate", exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  if (!params)
    return call_without_device("cudaGraphInstantiateWithParams",
                               [] { return fail(cudaErrorInvalidValue, "the parameters are null"); });
  return instantiate("cudaGraphInstantiateWithParams", exec, graph, params->flags, params);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return graph_call("cudaGraphExecGetFlags", [&](Process& process, device::Device&) -> cudaError_t {
    if (!flags) return fail(cudaErrorInvalidValue, "the pointer for the flags is null");
    CUDA_TRY(process.graph_execs.check(exec));
    *flags = exec->flags;
    return cudaSuccess;
  });
}

// There is nothing to upload.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return graph_call("cudaGraphUpload", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(process.graph_execs.check(exec));
    device::StreamId id;
    return process.streams.find(gpu, stream, &id);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return graph_call(
      "cudaGraphLaunch",
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        CUDA_TRY(process.graph_execs.check(exec));
        device::StreamId id;
        CUDA_TRY(process.streams.find(gpu, stream, &id));
        if (process.captures.is_capturing(id)) {
          GraphNode* node = nullptr;
          return process.captures.add(id, ChildWork{copy_graph(*exec->graph)}, &node);
        }
        return launch_graph(process, gpu, *exec, id);
      },
      CallKind::Launch);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return graph_call("cudaGraphExecDestroy",
                    [&](Process& process, device::Device&) { return process.graph_execs.destroy(exec); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  return graph_call("cudaGraphExecUpdate", [&](Process& process, device::Device&) -> cudaError_t {
    cudaGraphExecUpdateResultInfo unwanted;
    if (!info) info = &unwanted;
    *info = {cudaGraphExecUpdateError, nullptr, nullptr};
    CUDA_TRY(process.graph_execs.check(exec));
    CUDA_TRY(process.graphs.check(graph));
    return update(*exec, *graph, info);
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return graph_call("cudaGraphExecChildGraphNodeSetParams", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(process.graphs.check(child));
    GraphNode* copy = nullptr;
    CUDA_TRY(find_copy(process, exec, node, &copy));
    auto* work = std::get_if<ChildWork>(&copy->work);
    if (!work) return fail(cudaErrorInvalidValue, "the node has another type");
    GraphExec part;
    part.graph = work->graph;
    cudaGraphExecUpdateResultInfo info;
    return update(part, *child, &info);
  });
}

namespace {

cudaError_t with_switchable(Process& process, cudaGraphExec_t exec, cudaGraphNode_t node, GraphNode** copy) {
  CUDA_TRY(find_copy(process, exec, node, copy));
  switch (type_of((*copy)->work)) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeMemcpy:
      return cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue, "only kernel, memset and memcpy nodes can be disabled");
  }
}

}  // namespace

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return graph_call("cudaGraphNodeSetEnabled", [&](Process& process, device::Device&) -> cudaError_t {
    GraphNode* copy = nullptr;
    CUDA_TRY(with_switchable(process, exec, node, &copy));
    copy->enabled = enabled != 0;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return graph_call("cudaGraphNodeGetEnabled", [&](Process& process, device::Device&) -> cudaError_t {
    if (!enabled) return fail(cudaErrorInvalidValue, "the result pointer is null");
    GraphNode* copy = nullptr;
    CUDA_TRY(with_switchable(process, exec, node, &copy));
    *enabled = copy->enabled;
    return cudaSuccess;
  });
}
