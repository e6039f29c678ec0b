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

cudaError_t submit_record(device::Device& gpu, device::StreamId stream, const CUevent_st& event) {
  const device::RecordEvent record{event.id, (event.flags & kEventDisableTiming) == 0};
  ApiChecks& checks = Process::instance().checks;
  ApiChecks::Awaited awaited = checks.awaited_once_taken(record);
  const uint64_t number = event.shared ? event.shared->next() : 0;
  if (event.shared)
    CUDA_TRY(
        fail(gpu.submit(stream, device::HostFunction{[shared = event.shared, number] { shared->reach(number); }})));
  CUDA_TRY(fail(gpu.submit(stream, record)));
  if (event.shared) event.shared->submitted(number);
  checks.submitted(stream, std::move(awaited));
  return cudaSuccess;
}

cudaError_t submit_wait(device::Device& gpu, device::StreamId stream, const CUevent_st& event) {
  if (event.shared) {
    const uint64_t number = event.shared->last();
    if (!event.shared->reached(number))
      CUDA_TRY(
          fail(gpu.submit(stream, device::HostFunction{[shared = event.shared, number] { shared->wait(number); }})));
  }
  if (!gpu.event_recorded(event.id)) return cudaSuccess;  // nothing to wait for
  return fail(gpu.submit(stream, device::WaitEvent{event.id}));
}

}  // namespace warpwise::cuda

using namespace warpwise;
using namespace warpwise::cuda;

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call("cudaEventCreate", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!event) return fail(cudaErrorInvalidValue, "the pointer for the event is null");
    if (flags & ~(kEventBlockingSync | kEventDisableTiming | kEventInterprocess))
      return fail(cudaErrorInvalidValue, "flags {:#x} are not defined", flags);
    if ((flags & kEventInterprocess) && !(flags & kEventDisableTiming))
      return fail(cudaErrorInvalidValue, "cudaEventInterprocess requires cudaEventDisableTiming");
    std::shared_ptr<SharedEvent> shared;
    if ((flags & kEventInterprocess) && !(shared = SharedEvent::create()))
      return fail(cudaErrorMemoryAllocation, "the host has no memory for an event that processes share");
    *event = process.events.create(gpu, flags, std::move(shared));
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
    return submit_record(gpu, id, found);
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
    if (found.shared && !found.shared->reached(found.shared->last())) return cudaErrorNotReady;
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
    const uint64_t number = found.shared ? found.shared->last() : 0;
    if (gpu.event_recorded(found.id)) {
      process.checks.waited_for_event(found.id);
      CUDA_TRY(fail(gpu.wait_event(found.id)));
    }
    if (found.shared) found.shared->wait(number);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call("cudaEventElapsedTime", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!milliseconds) return fail(cudaErrorInvalidValue, "the pointer for the time is null");
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
    *milliseconds = static_cast<float>(gpu.milliseconds_between(from.id, to.id));
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
