// Streams: creating, destroying, querying, waiting, host functions.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph/submission.h"

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

// Priorities outside the range are clamped to it, as CUDA does.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return call("cudaStreamCreate", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!stream) return fail(cudaErrorInvalidValue, "the pointer for the stream is null");
    if (flags & ~kStreamNonBlocking)
      return fail(cudaErrorInvalidValue, "flags {:#x}: only cudaStreamNonBlocking (1) is defined", flags);
    *stream = process.streams.create(gpu, flags, priority);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call("cudaStreamDestroy",
              [&](Process& process, device::Device& gpu) { return process.streams.destroy(gpu, stream); });
}

namespace {

// Calls `read` with the stream that a handle stands for.
template <class Read>
cudaError_t with_stream(const char* function, cudaStream_t stream, const void* out, Read read) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!out) return fail(cudaErrorInvalidValue, "the result pointer is null");
    CUstream_st found;
    CUDA_TRY(process.streams.find(gpu, stream, &found));
    read(found);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream("cudaStreamGetPriority", stream, priority, [&](auto& found) { *priority = found.priority; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream("cudaStreamGetFlags", stream, flags, [&](auto& found) { *flags = found.flags; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* number) {
  return with_stream("cudaStreamGetId", stream, number, [&](auto& found) { *number = found.number; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return with_stream("cudaStreamGetDevice", stream, device, [&](auto& found) { *device = found.device; });
}

namespace {

// The last attribute of CUDA 13 (driver_types.h).
constexpr int kLastAttribute = 16;
cudaError_t check_attribute(cudaLaunchAttributeID attribute) {
  const int number = static_cast<int>(attribute);
  if (number >= 0 && number <= kLastAttribute) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "there is no attribute {}", number);
}

}  // namespace

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  if (cudaError_t error = call_without_device("cudaStreamSetAttribute", [&] { return check_attribute(attribute); }))
    return error;
  return with_stream("cudaStreamSetAttribute", stream, value,
                     [&](auto& found) { Process::instance().streams.attributes.set(found.number, attribute, *value); });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue* value) {
  if (cudaError_t error = call_without_device("cudaStreamGetAttribute", [&] { return check_attribute(attribute); }))
    return error;
  return with_stream("cudaStreamGetAttribute", stream, value, [&](auto& found) {
    *value = {};
    if (attribute == cudaLaunchAttributePriority) value->priority = found.priority;
    if (auto set = Process::instance().streams.attributes.get(found.number, attribute)) *value = *set;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  return call("cudaStreamCopyAttributes", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUstream_st from, to;
    CUDA_TRY(process.streams.find(gpu, dst, &to));
    CUDA_TRY(process.streams.find(gpu, src, &from));
    process.streams.attributes.copy(from.number, to.number);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call("cudaStreamSynchronize", [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    CUDA_TRY(process.captures.refuse(id));
    process.checks.waited(id);
    return fail(gpu.wait(id));
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call("cudaStreamQuery", [&](Process& process, device::Device& gpu) -> cudaError_t {
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    CUDA_TRY(process.captures.refuse(id));
    if (!gpu.stream_done(id)) return cudaErrorNotReady;
    process.checks.waited(id);
    return fail(gpu.sticky_failure());
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call("cudaStreamWaitEvent", [&](Process& process, device::Device& gpu) -> cudaError_t {
    constexpr unsigned kExternal = 1;
    if (flags & ~kExternal)
      return fail(cudaErrorInvalidValue, "flags {:#x}: cudaEventWaitDefault (0) or External (1)", flags);
    CUstream_st target;
    CUDA_TRY(process.streams.find(gpu, stream, &target));
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    if (process.captures.any()) {
      if ((flags & kExternal) && process.captures.is_capturing(target.id)) {
        GraphNode* node = nullptr;
        return process.captures.add(target.id, WaitWork{event}, &node);
      }
      bool captured = false;
      CUDA_TRY(process.captures.wait(target, event, gpu.event_recorded(found.id), &captured));
      if (captured) return cudaSuccess;
    }
    return submit_wait(gpu, target.id, found);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return call("cudaLaunchHostFunc", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!function) return fail(cudaErrorInvalidValue, "the host function is null");
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    if (process.captures.is_capturing(id)) {
      GraphNode* node = nullptr;
      return process.captures.add(id, HostWork{function, user_data, {}}, &node);
    }
    return submit(process, gpu, id, device::HostFunction{[=] {
                    InsideHostFunction scope;
                    function(user_data);
                  }});
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  return call("cudaStreamAddCallback", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!callback) return fail(cudaErrorInvalidValue, "the callback is null");
    if (flags) return fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags);
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    return submit(process, gpu, id, device::HostFunction{[=] {
                    cudaError_t status = sticky_error();
                    InsideHostFunction scope;
                    callback(stream, status, user_data);
                  }});
  });
}
