#include "cuda/runtime/graph/graph_work.h"

#include <algorithm>

#include "cuda/runtime/api.h"
#include "cuda/runtime/graph/submission.h"
#include "cuda/runtime/memory/places.h"
#include "cuda/runtime/module/launch.h"

namespace warpwise::cuda {

namespace {

// The "extra" form of arguments: a list of pairs that ends with 0; 1 is followed by the buffer, 2 by its size's address
// (CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE of cuda.h).
cudaError_t read_extra(void** extra, const void** buffer, size_t* bytes) {
  *buffer = nullptr;
  *bytes = 0;
  for (; *extra; extra += 2) {
    auto what = reinterpret_cast<uintptr_t>(*extra);
    if (what == 1)
      *buffer = extra[1];
    else if (what == 2)
      *bytes = *static_cast<const size_t*>(extra[1]);
    else
      return fail(cudaErrorInvalidValue, "extra: {} is not defined", what);
  }
  return *buffer ? cudaSuccess : fail(cudaErrorInvalidValue, "extra has no buffer");
}

}  // namespace

cudaError_t make_kernel(Process& process, device::Device& gpu, const cudaKernelNodeParams* params, KernelWork* out) {
  if (!params) return fail(cudaErrorInvalidValue, "the parameters are null");
  if (params->kernelParams && params->extra)
    return fail(cudaErrorInvalidValue, "kernelParams and extra are both given");
  Kernel* kernel = nullptr;
  device::KernelId id = 0;
  CUDA_TRY(find_kernel(process, gpu, params->func, &kernel, &id));
  const device::KernelInfo& info = gpu.kernel_info(id);
  std::vector<void*> arguments;
  void** list = params->kernelParams;
  if (params->extra) {
    const void* buffer = nullptr;
    size_t bytes = 0;
    CUDA_TRY(read_extra(params->extra, &buffer, &bytes));
    for (const device::KernelParameter& parameter : info.parameters) {
      if (parameter.offset + parameter.size > bytes)
        return fail(cudaErrorInvalidValue, "extra: {} bytes of arguments where the kernel takes {}", bytes,
                    info.parameter_bytes);
      arguments.push_back(static_cast<std::byte*>(const_cast<void*>(buffer)) + parameter.offset);
    }
    list = arguments.data();
  }
  LaunchRequest request{.grid = params->gridDim, .block = params->blockDim, .dynamic_shared = params->sharedMemBytes};
  Collector collector;
  cudaError_t error = launch(process, gpu, params->func, request, list);
  // A launch would return another error here (observed on an H200, for a grid of 0 blocks).
  if (error == cudaErrorInvalidConfiguration) return fail_with(cudaErrorInvalidValue, thread_error().detail);
  CUDA_TRY(error);
  out->function = params->func;
  out->command = std::get<device::Launch>(std::move(collector.commands.at(0)));
  return cudaSuccess;
}

void apply_attribute(KernelWork& work, cudaLaunchAttributeID attribute) {
  const cudaLaunchAttributeValue& value = work.attributes[attribute];
  if (attribute == cudaLaunchAttributeCooperative) work.command.cooperative = value.cooperative != 0;
  if (attribute == cudaLaunchAttributeClusterDimension)
    work.command.cluster = to_device({value.clusterDim.x, value.clusterDim.y, value.clusterDim.z});
}

cudaError_t make_copy(const cudaMemcpy3DParms* params, CopyWork* out) {
  if (!params) return fail(cudaErrorInvalidValue, "the parameters are null");
  Collector collector;
  CUDA_TRY(cudaMemcpy3DAsync(params, nullptr));
  out->commands = std::move(collector.commands);
  out->description = *params;
  return cudaSuccess;
}

cudaError_t make_row_copy(void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaMemcpy3DParms* out) {
  if (!dst || !src) return fail(cudaErrorInvalidValue, "{} is null", dst ? "src" : "dst");
  *out = {};
  out->dstPtr = {dst, count, count, 1};
  out->srcPtr = {const_cast<void*>(src), count, count, 1};
  out->extent = {count, 1, 1};
  out->kind = kind;
  return cudaSuccess;
}

cudaError_t make_fill(Process& process, device::Device& gpu, const cudaMemsetParams* params, FillWork* out) {
  if (!params) return fail(cudaErrorInvalidValue, "the parameters are null");
  const cudaMemsetParams& p = *params;
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
    return fail(cudaErrorInvalidValue, "elements of {} bytes: the size must be 1, 2 or 4", p.elementSize);
  size_t width = p.width * p.elementSize;
  if (p.height > 1 && width > p.pitch)
    return fail(cudaErrorInvalidPitchValue, "rows of {} bytes do not fit the pitch {}", width, p.pitch);
  out->description = p;
  out->commands.clear();
  if (width == 0 || p.height == 0) return fail(cudaErrorInvalidValue, "a memset of no elements");
  Place dst = locate(process, gpu, p.dst);
  if (!dst.allocation) return fail(cudaErrorInvalidValue, "{} is not an address of device memory", p.dst);
  if (dst.address % p.elementSize)
    return fail(cudaErrorInvalidValue, "{} is not aligned to the elements' {} bytes", p.dst, p.elementSize);
  CUDA_TRY(check_fits(dst, {.width = width, .height = p.height, .pitch = p.pitch}, "dst"));
  uint32_t mask = p.elementSize == 4 ? ~0u : (1u << 8 * p.elementSize) - 1;
  out->commands.emplace_back(
      device::Fill{dst.address, p.value & mask, static_cast<uint8_t>(p.elementSize), width, p.height, p.pitch});
  return cudaSuccess;
}

namespace {

cudaError_t make_allocation(Process& process, device::Device& gpu, cudaMemAllocNodeParams& params, AllocateWork* out) {
  if (params.bytesize == 0) return fail(cudaErrorInvalidValue, "an allocation of 0 bytes");
  if (params.poolProps.allocType != cudaMemAllocationTypePinned)
    return fail(cudaErrorInvalidValue, "poolProps.allocType must be cudaMemAllocationTypePinned");
  if (params.poolProps.handleTypes != cudaMemHandleTypeNone)
    return fail(cudaErrorInvalidValue, "memory of graphs cannot be shared between processes");
  if (params.poolProps.location.type != cudaMemLocationTypeDevice)
    return fail(cudaErrorInvalidValue, "memory of graphs is on a device");
  if (params.accessDescCount && !params.accessDescs) return fail(cudaErrorInvalidValue, "the list of accesses is null");
  cudaError_t error = cudaSuccess;
  out->memory = process.graphs.allocate(gpu, params.bytesize, &error);
  CUDA_TRY(error);
  params.dptr = reinterpret_cast<void*>(out->memory->address);
  out->access.assign(params.accessDescs, params.accessDescs + params.accessDescCount);
  out->description = params;
  out->description.accessDescs = nullptr;
  return cudaSuccess;
}

cudaError_t make_conditional(Graph& graph, cudaConditionalNodeParams& params, ConditionalWork* out) {
  auto has_handle = [&](const Graph& g) {
    return std::any_of(g.conditions.begin(), g.conditions.end(),
                       [&](const Condition& c) { return c.handle == params.handle; });
  };
  const Graph* owner = &graph;  // the graph itself, or one that it is a part of
  while (owner && !has_handle(*owner)) owner = owner->parent ? owner->parent->graph : nullptr;
  if (!owner) return fail(cudaErrorInvalidValue, "the handle was not made for this graph");
  if (params.type > cudaGraphCondTypeSwitch)
    return fail(cudaErrorInvalidValue, "{} is not a type of conditional", static_cast<unsigned>(params.type));
  unsigned most = params.type == cudaGraphCondTypeWhile ? 1 : params.type == cudaGraphCondTypeIf ? 2 : ~0u;
  if (params.size == 0 || params.size > most) return fail(cudaErrorInvalidValue, "{} bodies", params.size);
  out->handle = params.handle;
  out->type = params.type;
  for (unsigned i = 0; i < params.size; ++i) {
    out->bodies.push_back(std::make_shared<Graph>());
    out->handles.push_back(out->bodies.back().get());
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t make_work(Process& process, device::Device& gpu, Graph& graph, cudaGraphNodeParams& params, Work* out) {
  switch (params.type) {
    case cudaGraphNodeTypeKernel: {
      auto dims = [](const uint3& d) { return dim3{d.x, d.y, d.z}; };
      cudaKernelNodeParams kernel{params.kernel.func,           dims(params.kernel.gridDim),
                                  dims(params.kernel.blockDim), params.kernel.sharedMemBytes,
                                  params.kernel.kernelParams,   params.kernel.extra};
      return make_kernel(process, gpu, &kernel, &out->emplace<KernelWork>());
    }
    case cudaGraphNodeTypeMemcpy:
      if (params.memcpy.flags) return fail(cudaErrorInvalidValue, "flags of a memcpy node must be 0");
      return make_copy(&params.memcpy.copyParams, &out->emplace<CopyWork>());
    case cudaGraphNodeTypeMemset:
      return make_fill(process, gpu, &params.memset, &out->emplace<FillWork>());
    case cudaGraphNodeTypeHost:
      if (!params.host.fn) return fail(cudaErrorInvalidValue, "the host function is null");
      *out = HostWork{params.host.fn, params.host.userData, {}};
      return cudaSuccess;
    case cudaGraphNodeTypeGraph: {
      CUDA_TRY(process.graphs.check(params.graph.graph));
      *out = ChildWork{copy_graph(*params.graph.graph)};
      return cudaSuccess;
    }
    case cudaGraphNodeTypeEmpty:
      *out = EmptyWork{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord: {
      CUevent_st found;
      CUDA_TRY(process.events.find(params.eventWait.event, &found));
      if (params.type == cudaGraphNodeTypeWaitEvent)
        *out = WaitWork{params.eventWait.event};
      else
        *out = RecordWork{params.eventRecord.event};
      return cudaSuccess;
    }
    case cudaGraphNodeTypeMemAlloc:
      return make_allocation(process, gpu, params.alloc, &out->emplace<AllocateWork>());
    case cudaGraphNodeTypeMemFree:
      if (!process.graphs.find_memory(reinterpret_cast<device::Address>(params.free.dptr)))
        return fail(cudaErrorInvalidValue, "{} is not the address of an allocation node", params.free.dptr);
      *out = FreeWork{params.free.dptr};
      return cudaSuccess;
    case cudaGraphNodeTypeConditional:
      return make_conditional(graph, params.conditional, &out->emplace<ConditionalWork>());
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      return fail(cudaErrorNotSupported, "semaphores of other APIs are not supported");
  }
  return fail(cudaErrorInvalidValue, "{} is not a type of node", static_cast<unsigned>(params.type));
}

}  // namespace warpwise::cuda
