#include "cuda/runtime/stream/streams.h"

#include <algorithm>

#include "cuda/runtime/call.h"

namespace warpwise::cuda {

namespace {

thread_local int per_thread_depth = 0;

// The calling thread's own default stream, destroyed when the thread ends.
struct ThreadStream {
  uint64_t epoch = 0;  // the epoch of the Streams that created it; 0: not created
  CUstream_st stream;

  ~ThreadStream() {
    if (device::Device* gpu = epoch ? Process::instance().opened_device() : nullptr) {
      if (Process::instance().streams.is_current(epoch)) (void)gpu->destroy_stream(stream.id);
    }
  }
};
thread_local ThreadStream thread_stream_of_this_thread;

}  // namespace

PerThreadDefault::PerThreadDefault() { ++per_thread_depth; }
PerThreadDefault::~PerThreadDefault() { --per_thread_depth; }

cudaStream_t Streams::create(device::Device& gpu, unsigned flags, int priority) {
  priority = std::clamp(priority, kGreatestPriority, kLeastPriority);
  device::StreamId id = gpu.create_stream((flags & kStreamNonBlocking) == 0, priority);
  return table_.add({id, flags, priority, numbers_++, Devices::current()});
}

cudaError_t Streams::destroy(device::Device& gpu, cudaStream_t stream) {
  auto removed = table_.remove(stream);
  if (!removed) return fail(cudaErrorInvalidResourceHandle, "not a stream this program created, or destroyed before");
  attributes.forget(removed->number);
  return fail(gpu.destroy_stream(removed->id));
}

CUstream_st Streams::thread_stream(device::Device& gpu) {
  ThreadStream& own = thread_stream_of_this_thread;
  if (own.epoch != epoch_) {
    own.stream = {gpu.create_stream(/*blocking=*/true, kLeastPriority), 0, kLeastPriority, numbers_++};
    own.epoch = epoch_;
  }
  return own.stream;
}

cudaError_t Streams::find(device::Device& gpu, cudaStream_t stream, CUstream_st* out) {
  if (stream == nullptr) stream = per_thread_depth ? per_thread_stream() : legacy_stream();
  if (stream == legacy_stream()) {
    *out = {0, 0, kLeastPriority, 1, Devices::current()};
    return cudaSuccess;
  }
  if (stream == per_thread_stream()) {
    *out = thread_stream(gpu);
    out->device = Devices::current();
    return cudaSuccess;
  }
  auto found = table_.find(stream);
  if (!found) return fail(cudaErrorInvalidResourceHandle, "the stream was never created, or it has been destroyed");
  *out = *found;
  return cudaSuccess;
}

cudaError_t Streams::find(device::Device& gpu, cudaStream_t stream, device::StreamId* out) {
  CUstream_st found;
  CUDA_TRY(find(gpu, stream, &found));
  *out = found.id;
  return cudaSuccess;
}

void Streams::forget_all() {
  table_.clear();
  ++epoch_;
}

}  // namespace warpwise::cuda
