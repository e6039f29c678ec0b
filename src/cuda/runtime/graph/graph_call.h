// The frame of graph functions: that of call.h, with the graphs' mutex held and the handles checked.
#pragma once

#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/graph.h"

namespace warpwise::cuda {

template <class Body>
cudaError_t graph_call(const char* function, Body&& body, CallKind kind = CallKind::Plain) {
  return call(
      function,
      [&](Process& process, device::Device& gpu) -> cudaError_t {
        std::lock_guard lock(process.graphs.mutex);
        return body(process, gpu);
      },
      kind);
}

// Calls the body with the work of a node, which must have the type `Kind`.
template <class Kind, class Body>
cudaError_t with_work(const char* function, cudaGraphNode_t node, Body&& body) {
  return graph_call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(process.graphs.check(node));
    Kind* work = std::get_if<Kind>(&node->work);
    if (!work) return fail(cudaErrorInvalidValue, "the node has another type");
    return body(process, gpu, *work);
  });
}

}  // namespace warpwise::cuda
