// Memory of graphs: allocation and free nodes, and the figures of all of it.
#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/graph_call.h"
#include "cuda/runtime/graph/graph_work.h"

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                     size_t count, cudaMemAllocNodeParams* params) {
  if (!params)
    return call_without_device("cudaGraphAddMemAllocNode",
                               [] { return fail(cudaErrorInvalidValue, "the parameters are null"); });
  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeMemAlloc;
  any.alloc = *params;
  CUDA_TRY(cudaGraphAddNode(node, graph, dependencies, count, &any));
  params->dptr = any.alloc.dptr;
  return cudaSuccess;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* params) {
  return with_work<AllocateWork>("cudaGraphMemAllocNodeGetParams", node,
                                 [&](Process&, device::Device&, AllocateWork& work) -> cudaError_t {
                                   if (!params)
                                     return fail(cudaErrorInvalidValue, "the pointer for the parameters is null");
                                   *params = work.description;
                                   params->accessDescs = work.access.data();
                                   return cudaSuccess;
                                 });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                    size_t count, void* pointer) {
  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeMemFree;
  any.free.dptr = pointer;
  return cudaGraphAddNode(node, graph, dependencies, count, &any);
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  return with_work<FreeWork>("cudaGraphMemFreeNodeGetParams", node,
                             [&](Process&, device::Device&, FreeWork& work) -> cudaError_t {
                               if (!out) return fail(cudaErrorInvalidValue, "the pointer for the address is null");
                               *static_cast<void**>(out) = work.pointer;
                               return cudaSuccess;
                             });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return graph_call("cudaDeviceGraphMemTrim", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUDA_TRY(require_device(device));
    process.graphs.trim(gpu);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return graph_call("cudaDeviceGetGraphMemAttribute", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(require_device(device));
    if (!value) return fail(cudaErrorInvalidValue, "the pointer for the value is null");
    uint64_t used, reserved;
    process.graphs.memory_figures(&used, &reserved);
    auto& answer = *static_cast<uint64_t*>(value);
    switch (attribute) {
      case cudaGraphMemAttrUsedMemCurrent:
        answer = used;
        return cudaSuccess;
      case cudaGraphMemAttrUsedMemHigh:
        answer = process.graphs.used_high;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemCurrent:
        answer = reserved;
        return cudaSuccess;
      case cudaGraphMemAttrReservedMemHigh:
        answer = std::max(reserved, process.graphs.reserved_high);
        return cudaSuccess;
    }
    return fail(cudaErrorInvalidValue, "{} is not an attribute", static_cast<unsigned>(attribute));
  });
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  return graph_call("cudaDeviceSetGraphMemAttribute", [&](Process& process, device::Device&) -> cudaError_t {
    CUDA_TRY(require_device(device));
    if (!value || *static_cast<uint64_t*>(value) != 0)
      return fail(cudaErrorInvalidValue, "a high-water mark can only be set to 0");
    if (attribute == cudaGraphMemAttrUsedMemHigh)
      process.graphs.used_high = 0;
    else if (attribute == cudaGraphMemAttrReservedMemHigh)
      process.graphs.reserved_high = 0;
    else
      return fail(cudaErrorInvalidValue, "only the high-water marks can be set");
    return cudaSuccess;
  });
}
