// Streams and events of a GpuDevice. Stream 0 is the driver's legacy default stream, and a blocking stream is one that
// waits for it, as CUDA has both.
#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "device/gpu/gpu_device.h"

namespace warpwise::device::gpu {

StreamId GpuDevice::create_stream(bool blocking, int priority) {
  CUstream made = nullptr;
  Status status = context_.enter();
  if (status.ok())
    status =
        context_.check(driver().create_stream(&made, blocking ? 0 : kStreamNonBlocking, priority), "making a stream");
  // A stream that could not be made is one that does not exist: its use says so.
  std::lock_guard lock(mutex_);
  const StreamId id = next_stream_++;
  if (status.ok()) streams_[id] = made;
  return id;
}

Status GpuDevice::destroy_stream(StreamId id) {
  CUstream stream = nullptr;
  if (Status status = context_.enter(); !status.ok()) return status;
  if (id == 0) return {Failure::InvalidValue, "the default stream cannot be destroyed"};
  if (Status status = stream_of(id, &stream); !status.ok()) return status;
  {
    std::lock_guard lock(mutex_);
    streams_.erase(id);
  }
  return context_.check(driver().destroy_stream(stream), "destroying a stream");
}

EventId GpuDevice::create_event() {
  CUevent made = nullptr;
  Status status = context_.enter();
  if (status.ok()) status = context_.check(driver().create_event(&made, 0), "making an event");
  std::lock_guard lock(mutex_);
  const EventId id = next_event_++;
  if (status.ok()) events_[id] = {made, false};
  return id;
}

Status GpuDevice::destroy_event(EventId id) {
  CUevent event = nullptr;
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = event_of(id, &event); !status.ok()) return status;
  {
    std::lock_guard lock(mutex_);
    events_.erase(id);
  }
  return context_.check(driver().destroy_event(event), "destroying an event");
}

void use_as_default_stream(Device& gpu, void* stream) {
  auto& self = static_cast<GpuDevice&>(gpu);
  std::lock_guard lock(self.mutex_);
  self.default_stream_ = static_cast<CUstream>(stream);
}

Status GpuDevice::stream_of(StreamId id, CUstream* out) const {
  std::lock_guard lock(mutex_);
  *out = default_stream_;
  if (id == 0) return {};
  auto found = streams_.find(id);
  if (found == streams_.end()) return {Failure::InvalidValue, fmt::format("there is no stream {}", id)};
  *out = found->second;
  return {};
}

Status GpuDevice::event_of(EventId id, CUevent* out) const {
  std::lock_guard lock(mutex_);
  auto found = events_.find(id);
  if (found == events_.end()) return {Failure::InvalidValue, fmt::format("there is no event {}", id)};
  *out = found->second.handle;
  return {};
}

// --- waiting --------------------------------------------------------------------------------------------------

Status GpuDevice::wait(StreamId id) {
  CUstream stream = nullptr;
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = stream_of(id, &stream); !status.ok()) return status;
  Status status = or_late_failure(context_.check(driver().synchronise_stream(stream), "waiting for a stream"));
  times_.collect();
  return status;
}

Status GpuDevice::wait_all() {
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = context_.check(driver().synchronise(), "waiting for the GPU"); !status.ok()) return status;
  times_.collect();
  return or_late_failure(freed_.give_back());
}

// A stream that waits for a value which is never written would keep the program for ever, and the driver does not say
// which streams do. So where there were such waits the streams are asked, and given up when none of them has come to
// its end for a while.
void GpuDevice::end_work() {
  if (!waits_for_values_) {
    if (wait_all().ok()) times_.end();
    return;
  }
  if (!context_.enter().ok()) return;
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::seconds(1);
  std::vector<CUstream> busy{nullptr};
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, stream] : streams_) busy.push_back(stream);
  }
  for (auto last = Clock::now(); !busy.empty() && Clock::now() - last < kPatience;) {
    if (std::erase_if(busy, [&](CUstream stream) { return driver().query_stream(stream) != kNotReady; }))
      last = Clock::now();
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (busy.empty()) {
    (void)wait_all();
    times_.end();
    return;
  }
  times_.end();
  context_.abandon();
}

Status GpuDevice::wait_event(EventId id) {
  CUevent event = nullptr;
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = event_of(id, &event); !status.ok()) return status;
  Status status = or_late_failure(context_.check(driver().synchronise_event(event), "waiting for an event"));
  times_.collect();
  return status;
}

// Nothing is left to wait for where the device has failed: what asks learns of the failure from sticky_failure().
bool GpuDevice::stream_done(StreamId id) {
  CUstream stream = nullptr;
  if (!context_.enter().ok() || !stream_of(id, &stream).ok()) return true;
  const CUresult result = driver().query_stream(stream);
  return result != kNotReady && (context_.check(result, "asking for a stream"), true);
}

bool GpuDevice::event_done(EventId id) {
  CUevent event = nullptr;
  if (!context_.enter().ok() || !event_of(id, &event).ok()) return true;
  const CUresult result = driver().query_event(event);
  return result != kNotReady && (context_.check(result, "asking for an event"), true);
}

bool GpuDevice::event_recorded(EventId id) const {
  std::lock_guard lock(mutex_);
  auto found = events_.find(id);
  return found != events_.end() && found->second.recorded;
}

uint64_t GpuDevice::event_time(EventId id) const {
  CUevent event = nullptr;
  float milliseconds = 0;
  if (!context_.enter().ok() || !event_of(id, &event).ok()) return 0;
  if (!context_.check(driver().elapsed(&milliseconds, epoch_, event), "reading an event's time").ok()) return 0;
  return static_cast<uint64_t>(static_cast<double>(milliseconds) * 1e6);
}

// From event to event: a float of the milliseconds since the device was opened would soon be coarser than a kernel.
double GpuDevice::milliseconds_between(EventId from, EventId to) const {
  CUevent first = nullptr, last = nullptr;
  float milliseconds = 0;
  if (!context_.enter().ok() || !event_of(from, &first).ok() || !event_of(to, &last).ok()) return 0;
  if (!context_.check(driver().elapsed(&milliseconds, first, last), "reading the time between events").ok()) return 0;
  return milliseconds;
}

}  // namespace warpwise::device::gpu
