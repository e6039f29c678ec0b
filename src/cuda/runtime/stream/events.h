// The events of the process.
#pragma once

#include <memory>

#include "cuda/runtime/handles.h"
#include "cuda/runtime/stream/shared_event.h"
#include "cuda/runtime/types.h"
#include "device/device.h"

struct CUevent_st {
  warpwise::device::EventId id = 0;
  unsigned flags = 0;
  std::shared_ptr<warpwise::cuda::SharedEvent> shared;  // of an event that processes share
};

namespace warpwise::cuda {

inline constexpr unsigned kEventBlockingSync = 1, kEventDisableTiming = 2, kEventInterprocess = 4;

class Events {
 public:
  cudaEvent_t create(device::Device& gpu, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr) {
    return table_.add({gpu.create_event(), flags, std::move(shared)});
  }
  cudaError_t destroy(device::Device& gpu, cudaEvent_t event);
  cudaError_t find(cudaEvent_t event, CUevent_st* out) const;
  void forget_all() { table_.clear(); }

 private:
  HandleTable<CUevent_st> table_;
};

// The effect of an event on a stream, whichever process recorded it.
cudaError_t submit_record(device::Device& gpu, device::StreamId stream, const CUevent_st& event);
cudaError_t submit_wait(device::Device& gpu, device::StreamId stream, const CUevent_st& event);

}  // namespace warpwise::cuda
