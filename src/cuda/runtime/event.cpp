// Events: points in streams that can be waited for and that carry a time.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

namespace warpwise::cuda {

cudaError_t Events::destroy(device::Device& gpu, cudaEvent_t event) {
  auto removed = table_.remove(event);
  if (!removed) return fail(cudaErrorInvalidResourceHandle, "not an event this program created, or destroyed before");
  return fail(gpu.destroy_event(removed->id));
}

cudaError_t Events::find(cudaEvent_t event, CUevent_st* out) const {
  auto found = table_.find(event);
  if (!found) return fail(cudaErrorInvalidResourceHandle, "the event was never created, or it has been destroyed");
  *out = *found;
  return cudaSuccess;
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreate", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!event) return fail(cudaErrorInvalidValue, "the place for the event is null");
    if (flags & ~(kEventBlockingSync | kEventDisableTiming | kEventInterprocess))
      return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    if ((flags & kEventInterprocess) && !(flags & kEventDisableTiming))
      return fail(cudaErrorInvalidValue, "cudaEventInterprocess requires cudaEventDisableTiming");
    if (flags & kEventInterprocess)
      return fail(cudaErrorNotSupported, "events that processes share are not supported yet");
    *event = process.events.create(gpu, flags);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call("cudaEventDestroy", [&](Process& process, device::Device& gpu) {
    process.captures.forget_event(event);
    return process.events.destroy(gpu, event);
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call("cudaEventRecord", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (flags > 1) return fail(cudaErrorInvalidValue, "flags {:#x}: cudaEventRecordDefault (0) or External (1)", flags);
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    if (process.captures.any()) {
      if (flags == 1 && process.captures.is_capturing(id)) {
        GraphNode* node = nullptr;
        return process.captures.add(id, RecordWork{event}, &node);
      }
      bool captured = false;
      CUDA_TRY(process.captures.record(id, event, &captured));
      if (captured) return cudaSuccess;
    }
    device::RecordEvent record{found.id, (found.flags & kEventDisableTiming) == 0};
    ApiChecks::Awaited awaited = process.checks.awaited_once_taken(record);
    CUDA_TRY(fail(gpu.submit(id, record)));
    process.checks.submitted(id, std::move(awaited));
    return cudaSuccess;
  });
}

// An event that was never recorded counts as reached.
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call("cudaEventQuery", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    CUDA_TRY(process.captures.check_event(event));
    CUDA_TRY(process.captures.allow_unsafe());
    if (gpu.event_recorded(found.id) && !gpu.event_done(found.id)) return cudaErrorNotReady;
    process.checks.waited_for_event(found.id);
    return fail(gpu.sticky_failure());
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call("cudaEventSynchronize", [&](Process& process, device::Device& gpu) -> cudaError_t {
    CUevent_st found;
    CUDA_TRY(process.events.find(event, &found));
    CUDA_TRY(process.captures.check_event(event));
    CUDA_TRY(process.captures.allow_unsafe());
    if (!gpu.event_recorded(found.id)) return cudaSuccess;
    process.checks.waited_for_event(found.id);
    return fail(gpu.wait_event(found.id));
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!milliseconds) return fail(cudaErrorInvalidValue, "the place for the time is null");
    CUevent_st from, to;
    CUDA_TRY(process.events.find(start, &from));
    CUDA_TRY(process.events.find(end, &to));
    if ((from.flags | to.flags) & kEventDisableTiming)
      return fail(cudaErrorInvalidResourceHandle, "an event was created with cudaEventDisableTiming");
    if (!gpu.event_recorded(from.id) || !gpu.event_recorded(to.id))
      return fail(cudaErrorInvalidResourceHandle, "the {} event was never recorded",
                  gpu.event_recorded(from.id) ? "end" : "start");
    if (!gpu.event_done(from.id) || !gpu.event_done(to.id)) return cudaErrorNotReady;
    process.checks.waited_for_event(to.id);
    // Signed: the events may have been given in the wrong order.
    auto nanoseconds = static_cast<int64_t>(gpu.event_time(to.id) - gpu.event_time(from.id));
    *milliseconds = static_cast<float>(static_cast<double>(nanoseconds) * 1e-6);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
